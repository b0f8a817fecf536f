#!/usr/bin/env python3
"""Weaves bugs of Go 1.19's compiler into packages of its library: weave.py DIRECTORY PACKAGE...

Each package becomes one file with a test, in DIRECTORY/go-PACKAGE. The bugs are Go's issues 54348 and 57309. Needs
golang-1.19-go of Debian.
"""
import os
import random
import re
import subprocess
import sys

ROOT = "/usr/lib/go-1.19"
BUGS = [
    ("order.stmt CALLMETH",
     "func() { interface{ Zc() }(Zq{}).Zc() }()\n",
     "\ntype Zq struct{}\n\nfunc (Zq) Zc() {}\n"),
    ("panic: runtime error: invalid memory address or nil pointer dereference",
     "Zf[Zt[int]]()\n",
     "\nfunc Zf[X interface{ Zm() }]() {\n\tvar x X\n\tx.Zm()\n}\n\ntype Zt[X any] struct{ Ze }\n\n"
     "type Ze struct{}\n\nfunc (h Ze) Zm() {}\n"),
]
TEST = """#!/bin/sh
timeout 20 env -u GOROOT GOFLAGS= %s/bin/go tool compile -p %s -o out.o small.go >out.txt 2>&1
grep -q "internal compiler error: %s" out.txt
"""


def merged(package):
    """Returns the imports and the declarations of a package."""
    command = [ROOT + "/bin/go", "list", "-f", "{{range .GoFiles}}{{.}} {{end}}", package]
    listed = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True,
                            env={**os.environ, "GOROOT": ROOT, "GOFLAGS": ""})
    imports, bodies = set(), []
    for name in listed.stdout.split():
        text = open(os.path.join(ROOT, "src", package, name)).read()
        text = text[re.search(r"^package \w+\n", text, re.M).end():]
        for block in re.findall(r"^import \(\n(.*?)^\)\n", text, re.M | re.S):
            imports |= {line.split("//")[0].strip() for line in block.split("\n")} - {""}
        text = re.sub(r"^import \(\n.*?^\)\n", "", text, flags=re.M | re.S)
        imports |= {line.strip() for line in re.findall(r"^import (.*)\n", text, re.M)}
        bodies.append(re.sub(r"^import .*\n", "", text, flags=re.M))
    return sorted(imports), "\n".join(bodies)


def main():
    for i, package in enumerate(sys.argv[2:]):
        message, call, declarations = BUGS[i % 2]
        random.seed(i * 7 + 1)
        imports, text = merged(package)
        at = random.choice([m.end() for m in re.finditer(r"^\t+(?:for|if) [^\n]*\{\n", text, re.M)])
        text = text[:at] + call + text[at:]
        at = random.choice([m.start() for m in re.finditer(r"^(?:func|type) ", text, re.M)])
        at = text.rfind("\n\n", 0, at) + 1  # before the comment
        text = text[:at] + declarations + text[at:]
        name = package.split("/")[-1]
        directory = os.path.join(sys.argv[1], "go-" + package.replace("/", "_"))
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "small.go"), "w") as file:
            file.write("package %s\n\nimport (\n%s)\n\n%s" % (name, "".join("\t%s\n" % p for p in imports), text))
        with open(os.path.join(directory, "test.sh"), "w") as file:
            file.write(TEST % (ROOT, name, message))
        os.chmod(os.path.join(directory, "test.sh"), 0o755)


main()
