# Writes which lines of the files below WHITTLE_DIR run, and which do not, to a file in TMPDIR.
import atexit, dis, os, sys, threading

root = os.path.join(os.path.realpath(os.environ["WHITTLE_DIR"]), "")
log = os.path.join(os.environ["TMPDIR"], "whittle-python-%d" % os.getpid())
ran, lines_of = {}, {}


def trace(frame, event, argument):
    code = frame.f_code
    if code not in lines_of:
        path = os.path.realpath(code.co_filename)
        lines_of[code] = ran.setdefault(path, set()) if path.startswith(root) else None
    lines = lines_of[code]
    if lines is None:
        return None
    lines.add(frame.f_lineno)
    return trace


def starts(code):
    for _, line in dis.findlinestarts(code):
        yield line
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            for line in starts(constant):
                yield line


def write():
    sys.settrace(None)
    with open(log, "w") as out:
        for path, lines in sorted(ran.items()):
            try:
                with open(path, "rb") as source:
                    code = compile(source.read(), path, "exec", 0, True)
            except Exception:
                continue
            for line in sorted(l for l in lines.union(starts(code)) if l):
                out.write("%d %d %s\n" % (line, line in lines, path[len(root):]))


atexit.register(write)
threading.settrace(trace)
sys.settrace(trace)
