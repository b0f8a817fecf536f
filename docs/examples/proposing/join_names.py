#!/usr/bin/env python3
"""A filter for whittle --propose that proposes to use one name for two:

    whittle --propose 'python3 join_names.py' small.js -- node {}

A filter may propose several files, as hints of C-Vise: lines of JSON with the places to change.
"""

import itertools
import json
import re
import sys

text = sys.stdin.buffer.read()
places = {}
for word in re.finditer(rb"[A-Za-z_]\w*", text):
    places.setdefault(word.group().decode(), []).append(word.span())

print(json.dumps({"format": "cvise_hints_v0"}))
names = sorted(places, key=len)
print(json.dumps(names))
for (new, short), old in itertools.product(enumerate(names), names):
    if len(short) < len(old):
        print(json.dumps({"p": [{"l": l, "r": r, "v": new} for l, r in places[old]]}))
