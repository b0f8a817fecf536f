"""Tells whether a program that gives a warning has a generator that is a closure
over two scopes, in a method."""
import sys
import warnings

with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    try:
        program = compile(open("small.py", encoding="utf-8").read(), "small.py", "exec")
    except (SyntaxError, ValueError):
        sys.exit(1)
if not any("is not" in str(w.message) and w.category is SyntaxWarning for w in found):
    sys.exit(1)


def inside(code, depth):
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            yield const, depth
            yield from inside(const, depth + 1)


GENERATOR = 0x20
for code, depth in inside(program, 0):
    inner = [c for c, _ in inside(code, 0)]
    if depth >= 2 and code.co_flags & GENERATOR and code.co_freevars and code.co_cellvars \
            and any(c.co_flags & GENERATOR and len(c.co_freevars) >= 2 for c in inner):
        sys.exit(0)
sys.exit(1)
