package coverage

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/internal/local"
	"whittle/oracle"
	"whittle/pass"
)

// shortened returns the alternatives for a program that fails. Each must end with the same message.
func shortened(t *testing.T, program string) (alternatives []string) {
	t.Helper()
	if exec.Command("python3", "-c", "import ast; ast.unparse").Run() != nil {
		t.Skip("no Python 3.9")
	}
	spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", "python3 main.py 2>said; test $? = 1"}}
	spec.Name = "x"
	spec.Files = func([]byte) ([]oracle.File, error) {
		return []oracle.File{{Path: "main.py", Mode: 0o644, Content: []byte(program)}}, nil
	}
	record := Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil)
	_, edits := record.Of([]byte(program), map[string]int{"main.py": 0})
	want := message(t, program)
	for _, alternative := range edits {
		text := edited(program, alternative)
		if got := message(t, text); got != want {
			t.Errorf("%s, want %s:\n%s", got, want, text)
		}
		alternatives = append(alternatives, text)
	}
	return alternatives
}

// message returns the last line that a program prints.
func message(t *testing.T, program string) string {
	file := filepath.Join(t.TempDir(), "main.py")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	said, _ := exec.Command("python3", file).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return lines[len(lines)-1]
}

func edited(program string, edits []pass.TextEdit) string {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b pass.TextEdit) int { return cmp.Compare(b.From, a.From) })
	for _, e := range edits {
		line := program[strings.LastIndex(program[:e.From], "\n")+1 : e.From]
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		program = program[:e.From] + strings.Join(e.Lines, "\n"+indent) + program[e.To:]
	}
	return program
}

func TestStack(t *testing.T) {
	const program = `import re
LIMIT = len("abc")
log = print
log("start")

class Node:
    def __init__(self, kind, *children):
        self.kind, self.children, self.__depth = kind, children, 7
        self.pattern = re.compile(kind)

    def check(self, rules):
        seen = []
        for rule in rules:
            seen.append(rule)
            if len(seen) > 1:
                with open("/dev/null"):
                    self.apply(rule,
                               self.children)

    def apply(self, rule, children):
        total = sum(len(c.kind) for c in children)
        if total < LIMIT:
            return [c.fail(rule, total) for c in children]

    def fail(self, rule, n):
        x = n + self.__depth
        raise ValueError("%s: %d %s" % (self.kind, x, rule))

tree = Node("a", Node("b"))
tree.check(["one", "two"])
`
	const head = `import re
LIMIT = len("abc")



class Node:
    def __init__(self, kind, *children):
        self.kind, self.children, self.__depth = kind, children, 7
        self.pattern = re.compile(kind)

    def check(self, rules):
        self = object.__new__(Node)
        self.apply(0, 0)

    def apply(self, rule, children):
        c = object.__new__(Node)
        c.fail(0, 0)

    def fail(self, rule, n):
        rule = 'two'
        self = object.__new__(Node)
        self.kind = 'b'
        x = 8
        raise ValueError('%s: %d %s' % (self.kind, x, rule))


`
	want := []string{head + `rule = 'two'
self = object.__new__(Node)
self.kind = 'b'
x = 8
raise ValueError('%s: %d %s' % (self.kind, x, rule))
`, head + `c = object.__new__(Node)
c.fail(0, 0)
`, head + `tree = object.__new__(Node)
tree.check(0)
`}
	got := shortened(t, program)
	if len(got) != len(want) {
		t.Fatalf("%d alternatives: %q", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("alternative %d:\n%s", i, got[i])
		}
	}
}

// Each of these programs fails with the same message after all edits.
func TestStackFailsAlike(t *testing.T) {
	for name, program := range map[string]string{
		"generator": "class A:\n    def g(self, n):\n        for i in range(n):\n            yield 1 // (2 - i)\n" +
			"    def all(self):\n        made = self.g(5)\n        yield from made\nprint(list(A().all()))\n",
		"enum": "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\ndef f(e, n):\n    e = E.B\n    return n[e]\nf(1, {})\n",
		"exception": "class Bad(Exception):\n    pass\ndef f(a):\n    try:\n        return a['x']\n    except KeyError as e:\n" +
			"        raise Bad(e.args)\nf({'y': 1})\n",
		"one line":  "def f(a): b = a + [1]; return b.x\nf([])\n",
		"recursion": "def f(n):\n    if n == 0:\n        return 1 / n\n    return f(n - 1)\nf(5)\n",
		"values": "import fractions, collections\nP = collections.namedtuple('P', 'x y')\ndef f(a, b, c, d):\n" +
			"    s = {'k', 'l'}\n    return a + b + c + d[9] + s\nf(fractions.Fraction(1, 3), 2.5, True, [P(1, 2), None, b'x'])\n",
		"dynamic": "globals().update(limit=3)\nlevel = limit * 2\ndef f():\n    return [][level]\nf()\n",
		"assert":  "def f(a):\n    b = sorted(a)\n    assert b == a, 'order of %r' % (a,)\nf([3, 1])\n",
		"match":   "def f(a):\n    match a:\n        case [x, y]:\n            return x / y\nf([1, 0])\n",
		"lambda":  "def f(a):\n    key = lambda x: x.n\n    return max(a, key=key)\nf([1])\n",
		"super":   "class A:\n    def f(self, x):\n        return x.n\nclass B(A):\n    def f(self, x):\n        return super().f(x)\nB().f(1)\n",
		"async":   "import asyncio\nasync def f(n):\n    return n.x\nasync def g():\n    m = 5\n    return await f(m)\nasyncio.run(g())\n",
		"subclass": "class S(str):\n    pass\nclass D(dict):\n    pass\ndef f(s, d):\n    t = d\n    return t[s]\n" +
			"f(S('key'), D(a=1))\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(shortened(t, program)) == 0 {
				t.Error("no edits")
			}
		})
	}
}

// A program that ends without an exception, or one without a short value, is left alone.
func TestStackWithoutEdits(t *testing.T) {
	for _, program := range []string{"print(1)\n", "import sys\nsys.exit(1)\n"} {
		if got := shortened(t, program); len(got) > 0 && !bytes.Equal([]byte(got[0]), []byte(program)) {
			t.Errorf("%s: %q", program, got)
		}
	}
}
