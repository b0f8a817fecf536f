# Shortens the functions on the stack of an exception: each becomes the statement that raised or called, after
# assignments of the recorded values of the variables that it mentions.
import ast, builtins, dis, enum, json, math, os, re, sys, types

MAX_TEXT, MAX_ITEMS, MAX_ASSIGNED = 1000, 50, 30
DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
UNNAMED = {"<listcomp>": "[%s for _ in '0']", "<setcomp>": "{%s for _ in '0'}", "<dictcomp>": "{0: %s for _ in '0'}",
           "<genexpr>": "list(%s for _ in '0')", "<lambda>": "(lambda: %s)()"}
FEW = 3  # as fewCalls of package pass
FILES = (True, False), (True, True), (False, False), (False, True)


class Unknown(Exception):
    """An object has no short expression."""


def shorter(raised, exception, returned, root, path_of):
    """Return a JSON list of alternatives, which are lists of edits: [path, first byte, end byte, lines].

    The last one shortens all functions on the stack. The others before it do the same, and the module raises the
    exception itself, first with its message only, or calls the function that raises it. The first ones leave only
    functions with the names on the stack, of which each only calls the next one.
    """
    sources, bodies, seen = {}, [], set()
    inner = callee = None  # the frame of a comprehension, and the Body that is called
    for frame, line in raised:
        code = frame.f_code
        if code.co_name in UNNAMED and code.co_name != "<lambda>":
            inner = frame
            continue
        if code in seen:
            continue  # recursion
        seen.add(code)
        path = path_of(code)
        if path not in sources:
            with open(path, "rb") as file:
                source = file.read()
            sources[path] = source, ast.parse(source)
        source, tree = sources[path]
        try:
            owner, outer = find(tree, code)
            callee = Body(frame, owner, outer, line, raised, exception, returned, inner, callee, source,
                          path[len(root):])
            bodies.append(callee)
        except Exception:  # Unknown, or from a method of an object
            callee = None
        inner = None
    if not bodies:
        return "[]"
    last = bodies[-1]
    for b in bodies:
        last.used.update(set(names_of(compile("\n".join(b.assigned), "", "exec"))).difference(b.values))
    functions = [e for b in bodies[:-1] for e in b.edits(b.lines())]
    alternatives = []
    for few, plainly in FILES if len(bodies) > 1 and last.frame is raised[-1][0] else ():
        try:
            alternatives.append(bodies[0].files(last, root, path_of, few, plainly))
        except Exception:  # as above
            pass
    if isinstance(last.owner, ast.Module):
        moved = [b for b in bodies[:-1][:2] if b.path == last.path]
        if moved and isinstance(moved[0].at, ast.Raise):
            try:
                lines, classes = moved[0].plainly()
                alternatives.append(functions + classes + last.edits(lines))
            except Exception:  # as above
                pass
        alternatives += [functions + last.edits(b.lines(top=True)) for b in moved if b.is_movable()]
    alternatives.append(functions + last.edits(last.lines()))
    return json.dumps(alternatives)


def find(tree, code):
    """Return the node of a function and the name of the class around it, or the module."""
    if code.co_name == "<module>":
        return tree, ""

    def search(node, outer):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS) and child.name == code.co_name:
                first = child.decorator_list[0] if child.decorator_list else child
                if code.co_firstlineno in (first.lineno, child.lineno):
                    return child, outer
            inside = child.name if isinstance(child, ast.ClassDef) else outer
            found = search(child, inside)
            if found:
                return found
        return None

    found = search(tree, "")
    if not found:
        raise Unknown
    return found


class Body:
    """A function or module on the stack, with the statement that remains and the assignments before it."""

    def __init__(self, frame, owner, outer, line, raised, exception, returned, inner, callee, source,
                 path):
        self.frame, self.owner, self.outer, self.line, self.raised = frame, owner, outer, line, raised
        self.inner, self.values, self.source, self.path = inner, frame.f_locals, source, path
        self.innermost = frame is raised[0][0]
        self.exception, self.assigned, self.used, self.is_complete = exception, [], set(), True
        self.at = self.statement(owner.body)
        if isinstance(self.at, DEFINES):
            raise Unknown
        if inner:
            self.at = self.element_of(self.at)
        if callee:
            self.at = callee.call_in(self.at)
        if self.innermost:
            self.at = Returned(self, returned).visit(self.at)
        self.assign(self.at)
        self.at = alone(self.at)

    def call_in(self, statement):
        """Return the call of this function in a statement, which needs no arguments, or the statement."""
        name = self.outer if self.owner_name() == "__init__" else self.owner_name()
        calls = [n for n in ast.walk(header(statement)) if isinstance(n, ast.Call)
                 and getattr(n.func, "id", getattr(n.func, "attr", "")) == name]
        runs_later = isinstance(self.owner, ast.AsyncFunctionDef) or any(
            isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(self.at))
        if len(calls) != 1 or runs_later:
            return statement
        zero = ast.Constant(0)
        call = ast.Call(calls[0].func, [zero for a in calls[0].args if not isinstance(a, ast.Starred)],
                        [ast.keyword(k.arg, zero) for k in calls[0].keywords if k.arg])
        return ast.Expr(call)

    def owner_name(self):
        return getattr(self.owner, "name", "")

    def lines(self, top=False):
        """Return the assignments and the statement, at the top level of a module on request."""
        at = ast.Expr(self.at.value or ast.Constant(None)) if top and isinstance(self.at, ast.Return) else self.at
        return self.assigned + ast.unparse(at).split("\n")

    def plainly(self):
        """Return lines that raise the exception with its message only, and the edits that empty its classes."""
        kind, message = type(self.exception), str(self.exception)
        classes = [n for n in ast.parse(self.source).body if isinstance(n, ast.ClassDef)
                   and any(c.__name__ == n.name and c.__module__ == kind.__module__ for c in kind.__mro__)]
        made = "%s(%s)" % (self.named(kind), short(repr(message))) if classes else self.expression(self.exception, 0)
        return ["raise " + made], [[self.path] + place(self.source, n.body) + [["pass"]] for n in classes]

    def files(self, last, root, path_of, few, plainly):
        """Return edits that leave functions with the names on the stack, and the names that the innermost one needs.

        That function has its statement, or plainly raises the exception, if code elsewhere may have raised it. Each of
        the others only calls the next one. last is the module or the test that runs. Few leaves only the innermost
        functions and the last one. Packages become empty.
        """
        kinds = {type(n) for n in ast.walk(self.at)}
        may_be = kinds & {ast.Call, ast.Raise} if plainly else self.innermost and ast.Raise not in kinds
        is_module = isinstance(last.owner, ast.Module)
        if not may_be or not is_module and not last.owner.name.startswith("test"):
            raise Unknown
        lines = self.plainly()[0] if plainly else self.lines()
        lines = [re.sub(r"object\.__new__\((\w+)\)", r"\1()", line) for line in lines]
        before = self.exception.__cause__ or not self.exception.__suppress_context__ and self.exception.__context__
        if before:  # Python prints it, too
            first = ["try:", "    raise " + self.expression(before, 0), "except Exception:"]
            lines = first + ["    " + line for line in lines]
        text = "\n".join(lines)
        names, call, there, files = set(), "", None, {}
        for frame in self.printed(root, path_of, few):
            name, path = frame.f_code.co_name, path_of(frame.f_code)
            file = files.setdefault(path, [])
            if there not in (None, path):
                lines = ["from %s import %s" % (module, callee), call]
            elif call:
                lines = [call]
            if name in UNNAMED and call:
                call = UNNAMED[name] % call
            elif frame is last.frame and is_module:
                file += lines
            elif name.isidentifier() and name not in names:
                body = ["    " + line for line in lines]
                file += last.test(body) if frame is last.frame else ["def %s():" % name] + body
                call = "%s()" % name if names or not kinds & {ast.Yield, ast.YieldFrom} else "list(%s())" % name
                names.add(name)
                there, callee, module = path, name, frame.f_globals["__name__"]
        for b in (self, last):
            file = files[root + b.path]
            used = set(names_of(compile("\n".join(file), "", "exec"))) - names
            file[:0] = [b.imported(n, root, text) for n in sorted(used) if not hasattr(builtins, n)]
            if self.path == last.path:
                break
        for path in list(files):
            while len(path) > len(root):
                path = os.path.dirname(path)
                package = os.path.join(path, "__init__.py")
                if package not in files and os.path.exists(package):
                    files[package] = []
        sizes = {path: os.path.getsize(path) for path in files}
        return [[path[len(root):], 0, sizes[path], file] for path, file in files.items() if sizes[path]]

    def printed(self, root, path_of, few):
        """Return the frames of the traceback, the innermost first, and those around them, or some of them."""
        frames, inner = [], self.exception.__traceback__
        while inner:
            code = inner.tb_frame.f_code
            if path_of(code).startswith(root) and not code.co_filename.startswith("<"):
                frames.insert(0, inner.tb_frame)
            inner = inner.tb_next
        around = [frame for frame, _ in self.raised]
        frames += around[around.index(frames[-1]) + 1:]
        if not few:
            return frames
        distinct = {frame.f_code.co_name: frame for frame in reversed(frames[:-1])}
        chosen = sorted(map(frames.index, distinct.values()))
        if len(chosen) <= FEW:
            raise Unknown
        return [frames[i] for i in chosen[:FEW]] + frames[-1:]

    def test(self, body):
        """Return this function with another body, its decorators, parameters that they mention, and its class."""
        owner = self.owner
        decorators = ["@" + ast.unparse(d) for d in owner.decorator_list]
        names = [a.arg for a in owner.args.args]
        mentioned = [n for n in names if re.search(r"\b%s\b" % n, " ".join(decorators)) or self.outer and n == names[0]]
        lines = decorators + ["def %s(%s):" % (owner.name, ", ".join(mentioned))] + body
        if not self.outer:
            return lines
        node = next(n for n in ast.walk(ast.parse(self.source)) if isinstance(n, ast.ClassDef) and n.name == self.outer)
        bases = ", ".join(ast.unparse(b) for b in node.bases)
        return ["class %s(%s):" % (self.outer, bases)] + ["    " + line for line in lines]

    def imported(self, name, root, text):
        """Return a statement that defines a global name. Classes of the reduced files become empty."""
        value = self.frame.f_globals[name]
        if isinstance(value, types.ModuleType):
            return "import " + (name if name == value.__name__ else "%s as %s" % (value.__name__, name))
        module, own = value.__module__, value.__name__
        path = os.path.realpath(getattr(sys.modules[module], "__file__", None) or "")
        if module != "__main__" and not path.startswith(root):
            return "from %s import %s" % (module, own if own == name else "%s as %s" % (own, name))
        made = re.search(r"\b%s\([^)]" % name, text) and not issubclass(value, BaseException)
        if made or type(value) is not type:
            raise Unknown
        base = next(b.__name__ for b in value.__mro__ if b.__module__ == "builtins")
        return "class %s(%s): pass" % (name, base)

    def is_movable(self):
        """Report whether the statement means the same outside of its function."""
        for n in ast.walk(self.at):
            name = getattr(n, "id", getattr(n, "attr", ""))
            private = name.startswith("__") and not name.endswith("__")
            if private or name == "super" or isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)):
                return False
        return self.is_complete

    def edits(self, lines):
        """Return the edits that replace the body by lines."""
        body, edits = self.owner.body, []
        if isinstance(self.owner, ast.Module):
            position = next(i for i, s in enumerate(body) if s.lineno <= self.line <= s.end_lineno)
            edits = [[self.path] + place(self.source, [s]) + [[]] for s in self.idle(body[:position])]
            body = [body[position]]
        start, end = place(self.source, body)
        if self.source[:start].split(b"\n")[-1].strip():
            lines = ["; ".join(lines)]  # on the line of the definition
        return edits + [[self.path, start, end, lines]]

    def idle(self, statements):
        """Return the statements of a module that define nothing for the others."""
        bound = lambda s: {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        reads = lambda s: set(names_of(compile(ast.Module([s], []), "", "exec")))
        idle = [s for s in statements if not any(isinstance(n, DEFINES) for n in ast.walk(s))]
        used = self.used.union(*(reads(s) for s in self.owner.body if isinstance(s, DEFINES)))
        while True:
            kept = [s for s in idle if bound(s) & used or reads(s) & {"globals", "vars", "locals", "exec"}]
            if not kept:
                return idle
            idle = [s for s in idle if s not in kept]
            used.update(*(reads(s) for s in kept))

    def statement(self, body):
        """Return the innermost statement of the line, outside of nested definitions."""
        on = [s for s in body if s.lineno <= self.line <= s.end_lineno]
        if len(on) != 1:
            raise Unknown
        s = on[0]
        if isinstance(s, DEFINES):
            return s
        handlers = getattr(s, "handlers", [])
        blocks = [getattr(s, name, None) for name in ("body", "orelse", "finalbody")]
        for block in blocks + [c.body for c in handlers + getattr(s, "cases", [])]:
            if isinstance(block, list) and block and block[0].lineno <= self.line <= block[-1].end_lineno:
                for h in handlers:
                    if h.body is block and h.name and self.innermost:  # the variable is gone
                        self.values = dict({h.name: self.exception.__context__}, **self.values)
                return self.statement(block)
        return s

    def element_of(self, statement):
        """Return the element of the comprehension that ran, and add the values of its variables."""
        code = self.inner.f_code
        for node in ast.walk(statement):
            if isinstance(node, COMPREHENSIONS) and node.lineno == code.co_firstlineno:
                self.values = dict(self.values, **{
                    name: value for name, value in self.inner.f_locals.items() if name.isidentifier()})
                pair = isinstance(node, ast.DictComp)
                return ast.Expr(ast.Tuple([node.key, node.value], ast.Load()) if pair else node.elt)
        raise Unknown

    def assign(self, statement):
        """Assign the values of the variables and attributes that the statement reads."""
        values, code = self.values, self.frame.f_code
        passed = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount] + code.co_freevars
        paths = set()
        bound = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in ast.walk(header(statement)):
            path = path_of(node)
            if path and path[0] in values:
                paths.add(path)
        loaded = {n.id for n in ast.walk(header(statement)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        scope = self.frame.f_globals
        if any(n not in values and n not in scope and not hasattr(builtins, n) for n in loaded - bound):
            raise Unknown
        for name in sorted(loaded.intersection(values)):
            if values is self.frame.f_globals and not self.varies(name):
                continue
            before = len(self.assigned)
            try:
                self.put(name, values[name], sorted(p[1:] for p in paths if p[0] == name and len(p) > 1), 0)
            except Unknown:
                del self.assigned[before:]
                self.is_complete = False
                if name not in passed and name not in bound:
                    raise

    def varies(self, name):
        """Report whether a global is neither imported nor defined."""
        value = self.frame.f_globals[name]
        return not isinstance(value, NAMED)

    def put(self, target, value, attributes, depth):
        """Assign a value and attributes of it. Those of the innermost function are all assigned if none is mentioned."""
        if len(self.assigned) >= MAX_ASSIGNED:
            raise Unknown
        self.assigned.append("%s = %s" % (target, self.expression(value, 0)))
        own = getattr(value, "__dict__", None)
        if not isinstance(own, dict) or isinstance(value, NAMED):
            return
        wanted = {a[0] for a in attributes if a}
        for name, held in own.items():
            written = self.written(name)
            used = written in wanted
            if used or not wanted and self.innermost and depth < 2 and written.isidentifier():
                before = len(self.assigned)
                try:
                    self.put("%s.%s" % (target, written), held,
                             [a[1:] for a in attributes if a and a[0] == written], depth + 1)
                except Unknown:
                    del self.assigned[before:]
                    if used:
                        raise

    def written(self, name):
        """Return a private name as the class writes it."""
        mangled = "_%s__" % self.outer.lstrip("_")
        return name[len(mangled) - 2:] if self.outer and name.startswith(mangled) else name

    def expression(self, value, depth):
        """Return an expression for a value. Objects have no attributes."""
        kind = type(value)
        long = kind in (str, bytes) and len(value) > MAX_TEXT or kind is int and value.bit_length() > MAX_TEXT
        if depth > 4 or long:
            raise Unknown
        if value is None or value is Ellipsis or kind in (bool, int, float, complex, str, bytes):
            text = repr(value)
            return "float(%r)" % text if kind is float and not math.isfinite(value) else short(text)
        if kind in (list, tuple, set, frozenset, dict):
            return self.display(value, kind, depth)
        name = getattr(value, "__name__", None)
        if name == "<lambda>":
            return self.source_of(value.__code__)
        if isinstance(value, NAMED) and isinstance(name, str):
            return self.named(value)
        if kind is types.GeneratorType:
            return self.call(value.gi_code, depth)
        owner = getattr(value, "__self__", None)
        if owner is not None and isinstance(name, str) and kind is types.MethodType:
            return "%s.%s" % (self.expression(owner, depth + 1), name)
        if isinstance(value, enum.Enum):
            return "%s.%s" % (self.named(kind), value.name)
        if isinstance(value, BaseException):
            return "%s(%s)" % (self.named(kind), ", ".join(self.expression(a, depth + 1) for a in value.args))
        if kind.__repr__ is not object.__repr__:
            text = repr(value)
            if text.startswith(kind.__name__ + "("):
                text = self.named(kind) + text[len(kind.__name__):]
            if len(text) <= MAX_TEXT and "\n" not in text and " at 0x" not in text:
                try:
                    if type(eval(text, dict(self.frame.f_globals))) is kind:
                        return text
                except Exception:
                    pass
        if not kind.__flags__ & 1 << 9:  # not made by a class statement
            raise Unknown
        for base in (str, bytes, int, float, tuple):
            if isinstance(value, base):
                plain = "".join(value) if base is str else base(value)
                return "%s.__new__(%s, %s)" % (base.__name__, self.named(kind), self.expression(plain, depth + 1))
        for base in (list, dict, set):
            if isinstance(value, base):
                return "%s.__new__(%s)" % (base.__name__, self.named(kind))
        return "object.__new__(%s)" % self.named(kind)

    def source_of(self, code):
        """Return the source of a lambda expression of this file."""
        tree = ast.parse(self.source)
        there = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
        if len(there) != 1 or code.co_filename != self.frame.f_code.co_filename:
            raise Unknown
        return "(%s)" % ast.unparse(there[0])

    def call(self, code, depth):
        """Return a call of a generator on the stack. Its arguments have no effect, since its body is shortened, too."""
        for frame, _ in self.raised:
            if frame.f_code is code:
                first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
                if hasattr(type(first), code.co_name):
                    arguments = ", ".join(["0"] * (code.co_argcount - 1))
                    return "%s.%s(%s)" % (self.expression(first, depth + 1), code.co_name, arguments)
                if code.co_name in self.frame.f_globals:
                    return "%s(%s)" % (code.co_name, ", ".join(["0"] * code.co_argcount))
        raise Unknown

    def display(self, value, kind, depth):
        if len(value) > MAX_ITEMS:
            raise Unknown
        if kind is dict:
            return short("{%s}" % ", ".join("%s: %s" % (self.expression(k, depth + 1), self.element(v, depth))
                                            for k, v in value.items()))
        items = [self.element(v, depth) for v in value]
        if kind in (set, frozenset):
            items.sort()
        inner = ", ".join(items)
        if kind is list:
            return short("[%s]" % inner)
        if kind is tuple:
            return short("(%s,)" % inner if len(items) == 1 else "(%s)" % inner)
        if kind is set and items:
            return short("{%s}" % inner)
        return short("%s(%s)" % (kind.__name__, "[%s]" % inner if items else ""))

    def element(self, value, depth):
        try:
            return self.expression(value, depth + 1)
        except Unknown:
            return "0"

    def named(self, value):
        """Return an expression for a class, function or module that needs no import."""
        scope = self.frame.f_globals
        own = value.__name__
        if own in scope and scope[own] is value:
            return own
        if getattr(builtins, own, None) is value and own not in scope:
            return own
        for name, there in sorted(scope.items()):
            if there is value and name.isidentifier():
                return name
        path = getattr(value, "__module__", "") or own
        inside = getattr(value, "__qualname__", "")
        if isinstance(value, types.ModuleType):
            path, inside = own, ""
        whole = [p for p in path.split(".") + inside.split(".") if p]
        for i in range(len(whole)):
            there = scope.get(whole[i])
            for name in whole[i + 1:]:
                there = getattr(there, name, None)
            if there is value:
                return ".".join(whole[i:])
        if isinstance(value, types.ModuleType) and "." not in own:
            return "__import__(%r)" % own
        raise Unknown


class Returned(ast.NodeTransformer):
    """Replaces calls and properties in the statement of a Body by the values that functions returned."""

    def __init__(self, body, values):
        self.body, self.values = body, values

    def visit(self, node):
        called = node.func if isinstance(node, ast.Call) else node
        name = getattr(called, "attr", getattr(called, "id", ""))
        if isinstance(node, (ast.Call, ast.Attribute)) and name in self.values:
            try:
                return ast.parse(self.body.expression(self.values[name], 0), mode="eval").body
            except Unknown:
                pass
        return self.generic_visit(node)


def names_of(code):
    """Yield the names of the global variables that the code reads."""
    for i in dis.get_instructions(code):
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield i.argval
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            for name in names_of(constant):
                yield name


def path_of(node):
    """Return the names of a.b.c, or ()."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        before = path_of(node.value)
        return before + (node.attr,) if before else ()
    return ()


def header(statement):
    """Return a node with the part of a compound statement that runs first."""
    for name in ("test", "iter", "subject"):
        if hasattr(statement, "body") and hasattr(statement, name):
            return getattr(statement, name)
    if hasattr(statement, "items"):
        return ast.Tuple([i.context_expr for i in statement.items], ast.Load())
    return statement


def alone(statement):
    """Return a compound statement without its statements."""
    if isinstance(statement, (ast.If, ast.While)):
        return ast.Expr(statement.test)
    if hasattr(statement, "cases"):
        return ast.Expr(statement.subject)
    if isinstance(getattr(statement, "body", None), list):
        fields = {f: getattr(statement, f) for f in statement._fields}
        fields.update(body=[ast.Pass()])
        if "orelse" in fields:
            fields["orelse"] = []
        return ast.copy_location(type(statement)(**fields), statement)
    return statement


def short(text):
    if len(text) > MAX_TEXT:
        raise Unknown
    return text


def place(source, statements):
    """Return the first and the end byte of statements."""
    lines = source.splitlines(True)
    start, end = statements[0], statements[-1]
    line = min([d.lineno for d in getattr(start, "decorator_list", [])] + [start.lineno])
    return [sum(map(len, lines[:line - 1])) + start.col_offset,
            sum(map(len, lines[:end.end_lineno - 1])) + end.end_col_offset]
