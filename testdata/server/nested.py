#!/usr/bin/env python3
"""A test server in Python: a file is interesting if its JSON has a deep list."""

import json
import os
import sys


def interesting(path):
    with open(path) as file:
        try:
            value = json.load(file)
        except ValueError:
            return False
    depth = 0
    while isinstance(value, list) and value:
        value = value[-1]
        depth += 1
    return depth > 2


answers = os.fdopen(os.dup(1), "w", buffering=1)  # each line leaves at once
sys.stdout = sys.stderr  # what a library prints is no answer
for line in sys.stdin:
    answers.write("interesting\n" if interesting(line.rstrip("\n")) else "uninteresting\n")
