package pass_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// idle returns the file without idle code, and the number of questions. In file, lines begin with + if they ran, and
// with - if not.
func idle(t *testing.T, name, file string, interesting func(file string) bool) (best string, asked int) {
	t.Helper()
	var marks []pass.Mark
	for line := range strings.Lines(file) {
		mark := map[byte]pass.Mark{'+': pass.Ran, '-': pass.NotRan}[line[0]]
		best += line[1:]
		marks = append(marks, bytes.Repeat([]pass.Mark{mark}, len(line)-1)...)
	}
	tree, err := grammars.ForFile(name).Parse([]byte(best))
	if err != nil {
		t.Fatal(err)
	}
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64}, Facts: pass.Facts{}}
	if strings.HasSuffix(name, ".py") {
		plan.Facts.Stub = "pass"
	}
	gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool { return grammars.ForFile(name).Errors(c.Render()) == 0 }}
	step := pass.Idle(func([]byte) []pass.Mark { return marks }, nil).Search(tree, gate, plan)
	return bestOf(step, best, interesting)
}

// bestOf returns the last interesting file of a search, and the number of questions.
func bestOf(step *pass.Step, file string, interesting func(file string) bool) (best string, asked int) {
	best = file
	ask(step, func(c *parse.Candidate) bool {
		asked++
		if !interesting(string(c.Render())) {
			return false
		}
		best = string(c.Render())
		return true
	})
	return best, asked
}

func TestIdle(t *testing.T) {
	for _, test := range []struct {
		name, file, want string
		asked            int
	}{
		{"a.py", ` """Doc."""
+def f(a):
     """Doc."""
     global b
+    if a:
-        g()
-        h()
     else:
+        b = 1
+    return 2
+def g():
     """Doc."""
-    return 3
+class A:
     """Doc."""
+x = """a""" + f"""b"""
`, `def f(a):
    global b
    if a:
        pass
    else:
        b = 1
    return 2
class A:
    pass
x = """a""" + f"""b"""
`, 3},
		{"a.js", `+function f(a) {
+  if (a) {
-    g({a});
-    throw a;
+  } else {
+    h(); }
+  return () => {
-    return 1;
+  };
+}
+const o = {
+  p(a, b) {
-    return 2; },
+  q };
`, `function f(a) {
  if (a) {
  } else {
    h(); }
  return () => {
  };
}
const o = {
  q };
`, 2},
	} {
		got, asked := idle(t, test.name, test.file, func(string) bool { return true })
		if got != test.want || asked != test.asked {
			t.Errorf("%d questions:\n%s", asked, got)
		}
	}
}

// The test needs one statement of a hundred that do not run.
func TestIdleSearch(t *testing.T) {
	file := "+def f():\n+    return 1\n"
	for i := range 100 {
		file += fmt.Sprintf("+    if f(): f(2)\n-    f(3, %d)\n", i)
	}
	got, asked := idle(t, "a.py", file, func(file string) bool { return strings.Contains(file, "f(3, 60)") })
	if left := strings.Count(got, "f(3"); left > 10 || asked > 30 {
		t.Errorf("%d questions leave %d statements", asked, left)
	}
}

// Types of TypeScript go in one question, or stay for other passes.
func TestIdleTypes(t *testing.T) {
	const file = `interface P { a: string }
export class Node<T> implements P {
  #b: Record<string, Node<T>> = {}
  constructor(private readonly n: number, m?: string) {}
  f<U>(a: U): U { return <any>a as U }
}
const g = (q: P): string => new Node<number>(1).f<any>({})
`
	const want = `export class Node{
  #b= {}
  constructor(readonly n, m?) {}
  f(a){ return a as U }
}
const g = (q)=> new Node(1).f({})
`
	language := grammars.ForFile("a.ts")
	for _, typed := range []bool{false, true} {
		tree, err := language.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool { return language.Errors(c.Render()) == 0 }}
		plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64}}
		step := language.WithFacts(pass.Idle(func([]byte) []pass.Mark { return nil }, nil))[0].Search(tree, gate, plan)
		got, asked := bestOf(step, file, func(string) bool { return !typed })
		if typed && got != file || !typed && got != want || asked != 1 {
			t.Errorf("typed %t: %d questions\n%s", typed, asked, got)
		}
	}
}

// Namespaces and classes that the grammar takes for functions, and lists in calls, get no probes.
func TestIdleMisread(t *testing.T) {
	const file = `begin_it
namespace n {
void f() { if (1) { g(); } }
}
exported class C final { void m() { g(); } };
void h() { call({ g(1, 2)... }); }
`
	language := grammars.ForFile("a.cc")
	tree, err := language.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	probed := ""
	idle := pass.Idle(func([]byte) []pass.Mark { return nil }, func(file []byte) oracle.Run {
		probed = string(file)
		return oracle.Run{}
	})
	language.WithFacts(idle)[0].Search(tree, pass.Gate{}, pass.Plan{})
	for text, want := range map[string]bool{"n {": false, "f() {": true, "(1) {": true, "final {": false, "m() {": true,
		"h() {": true, "call({": false} {
		if got := strings.Contains(probed, text+" static char whittle"); got != want {
			t.Errorf("probe behind %q: %t, want %t in\n%s", text, got, want, probed)
		}
	}
}
