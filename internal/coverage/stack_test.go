package coverage

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/grammars"
	"whittle/internal/local"
	"whittle/oracle"
	"whittle/pass"
)

// shortened returns the alternatives for a program that fails. Each must end with the same message.
func shortened(t *testing.T, name, program string) (alternatives []string) {
	t.Helper()
	interpreter, check := "python3", []string{"-c", "import ast; ast.unparse"}
	switch filepath.Ext(name) {
	case ".js", ".mjs":
		interpreter, check = "node", []string{"-e", "require('inspector').Session"}
	case ".rb":
		interpreter, check = "ruby", []string{"--version"}
	case ".java":
		interpreter, check = "java", []string{"--source", "11", "--version"}
	}
	if exec.Command(interpreter, check...).Run() != nil {
		t.Skip("no interpreter that records")
	}
	language := grammars.ForFile(name)
	tree, err := language.Parse([]byte(program))
	if err != nil {
		t.Fatal(err)
	}
	spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", interpreter + " '" + name + "'; test $? = 1"}}
	spec.Name = "x"
	spec.Files = func([]byte) ([]oracle.File, error) {
		return []oracle.File{{Path: name, Mode: 0o644, Content: []byte(program)}}, nil
	}
	record := Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil)
	_, raised := record.Of([]byte(program), map[string]int{name: 0})
	want := message(t, interpreter, name, program)
	for _, alternative := range raised.Alternatives(tree) {
		text := edited(program, alternative)
		if got := message(t, interpreter, name, text); got != want {
			t.Errorf("%s, want %s:\n%s", got, want, text)
		}
		alternatives = append(alternatives, text)
	}
	return alternatives
}

// message returns the last line that a program prints before its calls.
func message(t *testing.T, interpreter, name, program string) string {
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	said, _ := exec.Command(interpreter, file).CombinedOutput()
	text, _, _ := strings.Cut(strings.ReplaceAll(string(said), "\t", "    "), "\n    at ")
	if text, _, _ = strings.Cut(text, "\n    from "); interpreter == "ruby" {
		_, text, _ = strings.Cut(text, "': ")
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
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
	want := []string{`def fail():
    raise ValueError('b: 8 two')
def apply():
    [fail() for _ in '0']
apply()`, `def fail():
    raise ValueError('b: 8 two')
def apply():
    [fail() for _ in '0']
def check():
    apply()
check()`, head + `raise ValueError('b: 8 two')
`, head + `rule = 'two'
self = object.__new__(Node)
self.kind = 'b'
x = 8
raise ValueError('%s: %d %s' % (self.kind, x, rule))
`, head + `c = object.__new__(Node)
c.fail(0, 0)
`, head + `tree = object.__new__(Node)
tree.check(0)
`}
	got := shortened(t, "main.py", program)
	if len(got) != len(want) {
		t.Fatalf("%d alternatives: %q", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("alternative %d:\n%s", i, got[i])
		}
	}
}

func TestStackFailsAlike(t *testing.T) {
	programs, err := txtar.ParseFile("testdata/stack.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs.Files {
		t.Run(program.Name, func(t *testing.T) {
			t.Parallel()
			if len(shortened(t, program.Name, string(program.Data))) == 0 {
				t.Error("no edits")
			}
		})
	}
}

// The functions on a stack stay in their files.
func TestStackOfFiles(t *testing.T) {
	if exec.Command("python3", "-c", "import ast; ast.unparse").Run() != nil {
		t.Skip("no interpreter that records")
	}
	spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", "python3 -m unittest -q test_a"}}
	spec.Name = "x"
	spec.Files = func([]byte) (files []oracle.File, err error) {
		for _, f := range txtar.Parse([]byte(`
-- p/__init__.py --
from .a import A, run
-- p/a.py --
from .b import *
class A(B):
    def kind(self):
        return 5
def run():
    return 1 + A().size()
-- p/b.py --
class B:
    def size(self):
        return len(self.kind()) + 2
-- test_a.py --
import unittest
from p import run
class TestA(unittest.TestCase):
    @unittest.skipIf(False, 'n')
    def test_run(self, n=7, m=8):
        self.assertEqual(run(), n)
`)).Files {
			files = append(files, oracle.File{Path: f.Name, Mode: 0o644, Content: f.Data})
		}
		return files, nil
	}
	record := Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil)
	if len(record.Edits) == 0 {
		t.Fatalf("no edits: %s", record.Run.Output)
	}
	got := map[string]string{}
	for _, e := range record.Edits[0] {
		got[e.Path] = strings.Join(e.Lines, "\n")
	}
	want := map[string]string{
		"p/__init__.py": "",
		"p/a.py":        "def run():\n    from p.b import size\n    size()",
		"p/b.py":        "def size():\n    return len(5) + 2",
		"test_a.py": "import unittest\nclass TestA(unittest.TestCase):\n    @unittest.skipIf(False, 'n')\n" +
			"    def test_run(self, n):\n" +
			"        from p.a import run\n        run()",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The exception of sys.exit is not a failure.
func TestStackWithoutEdits(t *testing.T) {
	for _, program := range []string{"print(1)\n", "import sys\nsys.exit(1)\n"} {
		if got := shortened(t, "main.py", program); len(got) > 0 {
			t.Errorf("%s: %q", program, got)
		}
	}
}

func TestJavaTrace(t *testing.T) {
	const output = `Exception in thread "main" a.b.Outer$Failed: no "x\y"
	in line 2
	at a.b.Outer.get(Outer.java:7)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at a.b.Outer$1.lambda$run$0(Outer.java:12)
	at a.b.Main.main(Main.java:3)
Caused by: java.lang.IllegalStateException
	at a.b.Outer.<init>(Outer.java:2)
	... 3 more
`
	calls, made := javaTrace("warning: x\n" + output)
	if len(calls) != 4 || calls[0] != (javaCall{"a.b.Outer.get", "Outer.java", 7}) || calls[3].line != 3 {
		t.Errorf("%v", calls)
	}
	want := []pass.Made{
		{Text: `new a.b.Outer.Failed("no \"x\\y\"\n\tin line 2")`, Class: "Failed", Short: "$(String m) { super(m); }"},
		{Text: `new a.b.Outer.Failed("no \"x\\y\"\n\tin line 2", new IllegalStateException())`, Class: "Failed",
			Short: "$(String m, Throwable t) { super(m, t); }", Cause: "IllegalStateException"},
	}
	if !slices.Equal(made, want) {
		t.Errorf("%q", made)
	}
	text := []byte("package a;\n\nclass Main {}\nclass Outer {\n}\n")
	starts := map[string]int{"src/a/b/Main.java": 0, "src/c/Outer.java": 0, "src/a/b/Outer.java": 25}
	frames := javaTraceOf(output, text, starts).Frames
	if len(frames) != 1 || frames[0].At != 12 {
		t.Errorf("%v", frames)
	}
}
