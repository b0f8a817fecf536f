#!/bin/sh
# python3 warns of a comparison, and compiles a generator that has cells of its own
# and of the function around it, in a method.
PATH=/usr/bin:$PATH python3 -I -S "$WHITTLE_TEST_DIR/closures.py" 2>/dev/null
