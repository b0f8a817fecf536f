#!/usr/bin/env python3
"""Propose the changes of clang_delta, which C-Vise and C-Reduce use for C and C++:

    whittle --propose 'json:python3 clang_delta.py {}' small.c -- gcc -O2 -c {}

The environment variable CLANG_DELTA is the path of clang_delta, if it is not that of Debian's package cvise.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile

CLANG_DELTA = os.environ.get("CLANG_DELTA", "/usr/lib/cvise/clang_delta")


def change(file, transformation, counter):
    """Return the file after one change, or None if there are fewer."""
    with tempfile.NamedTemporaryFile(suffix=os.path.splitext(sys.argv[1])[1]) as copy:
        copy.write(file)
        copy.flush()
        run = subprocess.run(
            [CLANG_DELTA, "--transformation=" + transformation, f"--counter={counter}", copy.name],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return run.stdout if run.returncode == 0 else None


def receive():
    """Return a file and whether it is interesting."""
    message = json.loads(sys.stdin.readline() or sys.exit())
    return base64.b64decode(message["content"]), message["interesting"]


def ask(file):
    """Return whether a file is interesting."""
    print(json.dumps({"content": base64.b64encode(file).decode()}), flush=True)
    return receive()[1]


def main():
    names = subprocess.run([CLANG_DELTA, "--transformations"], stdout=subprocess.PIPE, check=True, text=True)
    while True:
        file, _ = receive()
        left, counter = names.stdout.split(), 1
        while left:  # the first change of each transformation, then the second, and so on
            for transformation in list(left):
                changed = change(file, transformation, counter)
                while changed is not None and ask(changed):
                    file = changed
                    changed = change(file, transformation, counter)
                if changed is None:
                    left.remove(transformation)
            counter += 1
        print('{"idle": true}', flush=True)


main()
