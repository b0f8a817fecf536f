#!/bin/sh
# Two threads lock two lists in different orders: one run ends, and another has a timeout.
tcc -pthread -o locks locks.c 2>&1 || exit 125
timeout 0.5 setarch -R ./locks >/dev/null; one=$?
timeout 0.5 setarch -R ./locks >/dev/null; two=$?
[ $((one == 124 ? two == 0 : one == 0 && two == 124)) = 1 ]
