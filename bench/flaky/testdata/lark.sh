#!/bin/sh
# lark 1.1.5 takes one of several trees by the order of a set; 1.1.6 has ordered sets.
parse() { "$LARK/bin/python" "$WHITTLE_TEST_DIR/parse.py" config.lark; }
one=$(parse) && two=$(parse) && [ "$one" != "$two" ]
