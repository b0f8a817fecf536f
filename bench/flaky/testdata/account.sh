#!/bin/sh
# A lost update: two runs print different sums. Fixed addresses keep what is not initialised the same.
tcc -pthread -o account account.c 2>&1 || exit 125
one=$(setarch -R timeout 5 ./account) && two=$(setarch -R timeout 5 ./account) && [ "$one" != "$two" ]
