package deps

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Stubs go at once. Errors restore the method of the type that they name, the implementation of a trait for that type
// or for all types, and what the function with an unexplained error mentions.
func TestStubs(t *testing.T) {
	const needed = `struct A;
struct B;
trait T { fn t(&self) { loop {} } }
impl T for A { fn t(&self) { loop {} } }
impl A { fn x(&self) { loop {} } }
impl<V> U for V { fn u(&self) { loop {} } }
fn y() { loop {} }
fn z(v: u8) { y(); loop {} }
fn main() { A.x(); v(A); A.u(); z(1); panic!() }
`
	source := needed + "impl B { fn x(&self) { loop {} } }\nimpl T for B { fn t(&self) { loop {} } }\n"
	for i := range 40 {
		source += fmt.Sprintf("fn f%d() { loop {} }\n", i)
	}
	tree := parsed(t, "rust", source)
	errors := []struct{ without, function, reason string }{
		{"impl A { fn x", "main", "13 x A"},
		{"impl T for A {", "main", "22 T A"},
		{"impl<V> U for V {", "main", "26 U A"},
		{"fn y(", "z", "5"},
	}
	ask := func(c *parse.Candidate) (interesting bool, reasons []string) {
		text := string(c.Render())
		for _, e := range errors {
			if before, _, _ := strings.Cut(text, "fn "+e.function); !strings.Contains(text, e.without) {
				reasons = append(reasons, fmt.Sprintf("a.rs:%d:%s", 1+strings.Count(before, "\n"), e.reason))
			}
		}
		return len(reasons) == 0, reasons
	}
	plan := pass.Plan{Facts: pass.Facts{Stub: "loop {}"}}
	step := Definitions().Search(tree, pass.Gate{}, plan)
	for asked := 1; ; asked++ {
		interesting, reasons := ask(step.Candidate)
		if interesting {
			if got := string(step.Candidate.Render()); got != needed+"impl B { }\n" || asked > 2 {
				t.Errorf("after %d questions:\n%s", asked, got)
			}
			return
		}
		if step = answer(step, false, reasons); step.Ended() || asked > 10 {
			t.Fatalf("%d questions; %q", asked, reasons)
		}
	}
}

// Emptied definitions whose bodies are indented have a stub, also behind a comment before the body.
func TestStubsAfterComments(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "class A%d(B):\n\n    # c0\n    def f(self):\n        # c1\n        x = %d\n        return x\n\n", i, i)
		fmt.Fprintf(&b, "    def g(self):\n        y = 1\n        # c2\n        return self.f(y)\n\n")
		fmt.Fprintf(&b, "class C%d(B):\n    # c3\n    def f(self): pass\n    # c4\n\n", i)
	}
	empty := regexp.MustCompile(`(self\):\s*(#.*\s*)*(def|class))|B\):\s*(#.*\s*)*class`)
	tree := parsed(t, "python", b.String())
	step := Definitions().Search(tree, pass.Gate{}, pass.Plan{Facts: pass.Facts{Stub: "pass"}})
	asked := 0
	for ; !step.Ended() && asked < 60; asked++ {
		text := string(step.Candidate.Render())
		if empty.MatchString(text + "class\n") {
			t.Fatalf("question %d:\n%s", asked, text)
		}
		step = step.Next(algo.Uninteresting)
	}
	if asked < 10 {
		t.Errorf("%d questions", asked)
	}
}
