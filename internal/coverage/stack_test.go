package coverage

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

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
	want := []string{head + `raise ValueError('b: 8 two')
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

func TestStackFailsAlike(t *testing.T) {
	programs, err := txtar.ParseFile("testdata/stack.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs.Files {
		t.Run(program.Name, func(t *testing.T) {
			t.Parallel()
			if len(shortened(t, string(program.Data))) == 0 {
				t.Error("no edits")
			}
		})
	}
}

// The exception of sys.exit is not a failure.
func TestStackWithoutEdits(t *testing.T) {
	for _, program := range []string{"print(1)\n", "import sys\nsys.exit(1)\n"} {
		if got := shortened(t, program); len(got) > 0 {
			t.Errorf("%s: %q", program, got)
		}
	}
}
