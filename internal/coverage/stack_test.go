package coverage

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/grammars"
	"whittle/internal/local"
	"whittle/oracle"
	"whittle/parse/archive"
	"whittle/pass"
)

// shortened returns the alternatives for a program that fails. Each must end with the same message.
func shortened(t *testing.T, name, program string) (alternatives []string) {
	t.Helper()
	interpreter, check := "python3", []string{"-c", "import ast; ast.unparse"}
	switch filepath.Ext(name) {
	case ".js", ".mjs":
		interpreter, check = "node", []string{"-e", "require('inspector').Session"}
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

func TestStackOfNode(t *testing.T) {
	const program = `const fs = require('fs')
class Node {
  constructor(kind, children) {
    this.kind = kind
    this.children = children
    this.depth = 7
  }
  check(rules) {
    const seen = []
    rules.forEach(rule => {
      seen.push(rule)
      if (seen.length > 1) {
        return this.apply(rule, this.children)
      }
    })
  }
  apply(rule, children) {
    const total = children.reduce((n, c) => n + c.kind.length, 0)
    for (const c of children) c.fail(rule, total)
  }
  fail(rule, n) {
    const x = n + this.depth
    if (x > 7) {
      throw new TypeError(this.kind + x + rule)
    }
    return x
  }
}
const tree = new Node('a', [new Node('b', [])])
tree.check(['one', 'two'])
console.log(fs.existsSync('.'))
`
	const want = `const fs = require('fs')
class Node {
  constructor(kind, children) {
    this.kind = kind
    this.children = children
    this.depth = 7
  }
  check(rules) {
    rules = ["one", "two"];
    var seen = ["one", "two"];
    this.children = [{__proto__: Node.prototype, children: [], depth: 7, kind: "b"}];
    rules.forEach(rule => {
      
        return this.apply()
      
    })
  }
  apply(rule, children) {
    var c = {__proto__: Node.prototype, children: [], depth: 7, kind: "b"}; c.fail()
  }
  fail(rule, n) {
    var x = 8;
    rule = "two";
    this.kind = "b";
      throw new TypeError(this.kind + x + rule)
    
  }
}
const tree = new Node('a', [new Node('b', [])])
tree.check()

`
	got := shortened(t, "main.js", program)
	if len(got) != 4 || got[0] != "throw new TypeError(\"b8two\")\n" || got[3] != want {
		t.Errorf("%q", got)
	}
}

// An alternative runs functions with the names that Node.js printed.
func TestStackOfNodeHasNames(t *testing.T) {
	const program = `class C {
  #set(x) { this.at(x) }
  at(x) { load$1.call({ load: load$1 }, x) }
  get(x) { return this.#set(x) }
}
const handlers = {}
function load$1(x) { return x.y.z }
handlers['on' + 1] = function (x) { return new Q(x) }
function Q(x) { return new C().get(x) }
function run() { handlers.on1({}) }
run()
`
	calls := func(program string) string {
		file := filepath.Join(t.TempDir(), "main.js")
		if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		output, _ := exec.Command("node", file).CombinedOutput()
		return strings.Join(regexp.MustCompile(`(?m)^ +at (.*) \(/.*main\.js`).FindAllString(string(output), -1), "\n")
	}
	want := regexp.MustCompile(` \(.*`).ReplaceAllString(calls(program), "")
	got := shortened(t, "main.js", program)
	if !slices.ContainsFunc(got[:len(got)-1], func(text string) bool {
		return regexp.MustCompile(` \(.*`).ReplaceAllString(calls(text), "") == want
	}) {
		t.Errorf("%s\n%s", want, got)
	}
}

// The functions on a stack of Node.js stay in their files, and the test calls the next one.
func TestStackOfNodeFiles(t *testing.T) {
	if exec.Command("node", "-e", "require('node:test'); require('inspector').Session").Run() != nil {
		t.Skip("no interpreter that records")
	}
	var files []oracle.File
	var entries []archive.Entry
	for _, f := range txtar.Parse([]byte(`
-- index.js --
exports.load = require('./lib/load').load
-- lib/load.js --
const { Reader } = require('./in/reader')
exports.load = function load(text) { return new Reader(text).read() }
-- lib/in/reader.js --
class Reader {
  constructor(text) { this.text = text }
  read() { return this.next().length }
  next() { return this.text.missing.x }
}
module.exports = { Reader }
-- a.test.js --
const test = require('node:test')
const { load } = require('.')
test('loads', () => {
  const n = load('a')
  console.log(n)
})
`)).Files {
		entries = append(entries, archive.Entry{Path: f.Name, Content: f.Data, Language: grammars.ForFile(f.Name)})
		files = append(files, oracle.File{Path: f.Name, Mode: 0o644, Content: f.Data})
	}
	spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", "node --test a.test.js"}}
	spec.Name = "x"
	spec.Files = func([]byte) ([]oracle.File, error) { return files, nil }
	record := Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil)
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	_, raised := record.Of(set.Archive(), set.Starts(set.Archive()))
	want := map[string]string{
		"index.js":    "exports.load = require('./lib/load').load\n",
		"lib/load.js": "exports.callee = function load() {\nrequire('./in/reader.js').callee.read()\n}\n",
		"lib/in/reader.js": "exports.callee = new class Reader { read() {\nnew class Reader { next() {\n" +
			"({text: \"a\"}).text.missing.x\n} }().next()\n} }()\n",
		"a.test.js": "const test = require('node:test')\nconst { load } = require('.')\ntest('loads', () => {\n" +
			"  (0, require('./lib/load.js').callee)()\n  console.log(n)\n})\n",
	}
	var found []map[string]string
	for _, alternative := range raised.Alternatives(tree) {
		entries, err := set.Entries([]byte(edited(string(set.Archive()), alternative)))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range entries {
			got[e.Path] = string(e.Content)
		}
		if maps.Equal(got, want) {
			return
		}
		found = append(found, got)
	}
	t.Errorf("%q", found)
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
		{Text: `new a.b.Outer.Failed("no \"x\\y\"\n\tin line 2", new java.lang.IllegalStateException())`, Class: "Failed",
			Short: "$(String m, Throwable t) { super(m, t); }"},
	}
	if !slices.Equal(made, want) {
		t.Errorf("%q", made)
	}
	text := []byte("package a;\n\nclass Main {}\nclass Outer {\n}\n")
	starts := map[string]int{"src/a/b/Main.java": 0, "src/c/Outer.java": 0, "src/a/b/Outer.java": 25}
	frames := javaFrames(calls, text, starts)
	if len(frames) != 1 || frames[0].At != 12 {
		t.Errorf("%v", frames)
	}
}
