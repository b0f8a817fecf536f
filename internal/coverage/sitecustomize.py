# Writes two files in TMPDIR about the files below WHITTLE_DIR: whittle-lines-PID has the lines that ran and those that
# did not; whittle-frames-PID has shorter bodies for the functions on the stack of the last exception.
import atexit, dis, os, sys, threading

root = os.path.join(os.path.realpath(os.environ["WHITTLE_DIR"]), "")
home = os.path.join(os.path.realpath(os.environ["WHITTLE_HOME"]), "")  # shows the same files
temporary = os.environ["TMPDIR"]
ran, lines_of = {}, {}
raised = []  # the frames of the last exception, innermost first, and their lines
last = []  # that exception, and the values that functions had returned to the innermost frame, by their names
returned = {}  # such values by frames


def path_of(code):
    path = os.path.realpath(code.co_filename)
    return root + path[len(home):] if path.startswith(home) else path


def trace(frame, event, argument):
    code = frame.f_code
    if code not in lines_of:
        path = path_of(code)
        inside = path.startswith(root) and not code.co_filename.startswith("<")
        lines_of[code] = ran.setdefault(path, set()) if inside else None
    lines = lines_of[code]
    if lines is None:
        return None
    lines.add(frame.f_lineno)
    if event == "exception":
        remember(frame, *argument)
    elif event == "return":
        returned.pop(frame, None)
        is_function = code.co_flags & 1  # and no body of a class
        if is_function and frame.f_back is not None and lines_of.get(frame.f_back.f_code) is not None:
            returned.setdefault(frame.f_back, {})[code.co_name] = argument
    return trace


def remember(frame, kind, exception, inner):
    if kind in (StopIteration, GeneratorExit, SystemExit):
        return
    inner = inner.tb_next
    while inner is not None:
        if lines_of.get(inner.tb_frame.f_code) is not None:
            last[:1] = [exception]  # raised in a call, perhaps with the traceback of another
            return
        inner = inner.tb_next
    raised[:], last[:] = [], [exception, dict(returned.get(frame, {}))]
    while frame is not None and len(raised) < 200:
        if lines_of.get(frame.f_code) is not None:
            raised.append((frame, frame.f_lineno))
        frame = frame.f_back


def starts(code):
    for _, line in dis.findlinestarts(code):
        yield line
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            for line in starts(constant):
                yield line


def write():
    sys.settrace(None)
    sys.setrecursionlimit(10000)
    with open(os.path.join(temporary, "whittle-lines-%d" % os.getpid()), "w") as out:
        for path, lines in sorted(ran.items()):
            try:
                with open(path, "rb") as source:
                    code = compile(source.read(), path, "exec", 0, True)
            except Exception:
                continue
            for line in sorted(l for l in lines.union(starts(code)) if l):
                out.write("%d %d %s\n" % (line, line in lines, path[len(root):]))
    try:
        import whittle_frames
        frames = whittle_frames.shorter(raised, *last, root, path_of)
    except Exception:
        return  # Python is older than 3.9, or an object cannot be shown
    with open(os.path.join(temporary, "whittle-frames-%d" % os.getpid()), "w") as out:
        out.write(frames)


def hook(*exception, show=sys.excepthook):
    sys.settrace(None)  # an exception may have methods that raise others
    show(*exception)


sys.excepthook = hook
atexit.register(write)
threading.settrace(trace)
sys.settrace(trace)
