#!/usr/bin/env python3
"""A test server for whittle that runs a Python program, in a child for each candidate:

    python3 server.py [--exit CODES] [--lines LEAST MOST REGEXP]... -- python3 ARG...

{} in the arguments is the candidate; without it that is the standard input. A candidate is
interesting if the program ends with one of the exit codes (default 0; 128 + N is signal N; or any),
and at least LEAST and at most MOST lines of its output match (MOST 0 is any number).

The packages that the program imports are imported once, before the children start. It must
be run by the same python as the program.
"""

import ast
import importlib
import os
import re
import runpy
import sys
import tempfile


def parse(words):
    exits, lines = [], []
    while words and words[0] != "--":
        flag = words.pop(0)
        if flag == "--exit" and words:
            codes = words.pop(0)
            exits = range(256) if codes == "any" else [int(code) for code in codes.split(",")]
        elif flag == "--lines" and len(words) > 2:
            least, most, pattern = int(words.pop(0)), int(words.pop(0)), words.pop(0)
            lines.append((least, most, re.compile(pattern.encode())))
        else:
            sys.exit("server.py: there is no flag " + flag)
    if len(words) < 3 or words[2].startswith("-") and words[2] not in ("-m", "-c"):
        sys.exit("server.py: give it the command behind --, as: -- python3 program.py {}; "
                 "options of python but -m and -c belong to the python of this server")
    return exits or [0], lines, words[2:]


def preload(source):
    """Imports the packages that a program imports, but none of their modules."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        for name in names:
            try:
                importlib.import_module(name.split(".")[0])
            except BaseException:
                pass


def run(words, path, named):
    """Runs the program in this process, which has been forked for it."""
    os.chdir(os.path.dirname(path))
    stdin = os.open(os.devnull if named else path, os.O_RDONLY)
    os.dup2(stdin, 0)
    sys.stdin = open(0)
    name = os.path.basename(path)
    words = [w.replace("{}", name) for w in words]
    if words[0] == "-m":
        sys.argv = words[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = ["-c"] + words[2:]
        sys.path[0] = ""
        exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = words
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        with open(words[0], "rb") as file:
            code = compile(file.read(), words[0], "exec")
        main = type(sys)("__main__")
        main.__file__ = words[0]
        main.__builtins__ = __builtins__
        sys.modules["__main__"] = main
        exec(code, main.__dict__)


def ended(status):
    """Returns the exit code of a process as a shell has it."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def ask(words, path, named, exits, lines):
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", buffering=1, closefd=False)
            return None  # the program runs at the end of this one
        _, status = os.waitpid(child, 0)
        try:
            os.killpg(child, 9)  # what it has left
        except OSError:
            pass
        output.seek(0)
        printed = output.read().splitlines()
    code = ended(status)
    if os.environ.get("WHITTLE_SERVER_VERBOSE"):
        sys.stderr.write("exit code %d\n%s\n" % (code, b"\n".join(printed).decode(errors="replace")))
    hold = code in exits
    for least, most, pattern in lines:
        n = sum(1 for line in printed if pattern.search(line))
        hold = hold and n >= least and (most == 0 or n <= most)
    return "interesting" if hold else "uninteresting"


def main():
    exits, lines, words = parse(sys.argv[1:])
    named = any("{}" in w for w in words)
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    sys.stdout = sys.stderr
    first = True
    while True:
        line = bytearray()  # read no byte that is the next line's
        while not line.endswith(b"\n"):
            byte = os.read(0, 1)
            if not byte:
                return
            line += byte
        path = os.fsdecode(bytes(line[:-1]))
        if first and words[0] not in ("-m", "-c"):
            with open(words[0].replace("{}", path), "rb") as file:
                preload(file.read())
        first = False
        answer = ask(words, path, named, exits, lines)
        if answer is None:
            answers.close()
            return run(words, path, named)
        answers.write(answer + "\n")


if __name__ == "__main__":
    main()
