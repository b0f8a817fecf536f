#!/bin/sh
# Issue 595 of lark, mended in 1.1.8: it takes one of several trees by the order of a set.
parse() { "$LARK/bin/python" "$WHITTLE_TEST_DIR/parse.py" config.lark; }
one=$(parse) && two=$(parse) && [ "$one" != "$two" ]
