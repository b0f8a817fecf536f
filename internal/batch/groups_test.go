package batch

import (
	"testing"

	"whittle/grammars"
)

// The shape ignores names and layout, but not literals, types, library functions and the equality
// of names.
func TestIdentify(t *testing.T) {
	for _, c := range []struct {
		language, a, b string
		same           bool
	}{
		{"c", "int f(int x) { return x + 1; }", "int  g(int y)\n{\n\treturn y + 1;\n}\n", true},
		{"c", "int f(int x) { return x; } // a", "int f(int x) { return x; } /* b */", true},
		{"c", "int f(int x) { return x + 1; }", "int f(int x) { return x + 2; }", false},
		{"c", "int f(int x) { return x; }", "int f(char x) { return x; }", false},
		{"c", "int f(int x) { return x; }", "int f(int x) { return f; }", false},
		{"c", "int a, b; void f(void) { a = b; }", "int x, y; void g(void) { x = y; }", true},
		{"c", "int a, b; void f(void) { a = b; }", "int x, y; void g(void) { y = x; }", false},
		{"c", "void f(void) { puts(0); }", "void f(void) { abort(0); }", false},
		{"python", "def f(a):\n    return a\n", "def g(b):\n    return b\n", true},
		{"python", "def f(a):\n    return a\n", "def g(b):\n    return g\n", false},
		{"lines", "a\nb\n", "a\nc\n", false},
	} {
		l, ok := grammars.Find(c.language)
		if !ok {
			t.Fatal(c.language)
		}
		exact1, shape1 := identify([]byte(c.a), l)
		exact2, shape2 := identify([]byte(c.b), l)
		if (shape1 == shape2) != c.same || exact1 == exact2 {
			t.Errorf("%s: %q and %q are the same but for names: %v, want %v", c.language, c.a, c.b, shape1 == shape2, c.same)
		}
	}
}

// Results are grouped by title, or else by shape, the shortest first.
func TestGroups(t *testing.T) {
	l, _ := grammars.Find("c")
	run := func(name, title, result string, tokens int) *Run {
		r := &Run{Case: &Case{Name: name}}
		r.state = State{Phase: Reduced, Title: title, Result: Result{Path: name + ".reduced", Tokens: tokens, Bytes: len(result)}}
		r.state.Result.exact, r.state.Result.shape = identify([]byte(result), l)
		return r
	}
	groups := Groups([]*Run{
		run("a", "crash 1", "int a, b;", 5),
		run("b", "", "int x;", 3),
		run("c", "crash 2", "int x;", 3),
		run("d", "crash 1", "int y;", 3),
		run("e", "crash 1", "int z;", 3),
		run("f", "", "int y;", 3),
		run("g", "", "char y;", 3),
		{Case: &Case{Name: "failed"}},
		run("h", "crash 1", "int y;", 3),
	})
	var got []string
	for _, g := range groups {
		got = append(got, "# "+g.Title)
		for _, f := range g.Forms {
			line := ""
			for _, r := range f {
				mark := "~"
				if f.exact(r) {
					mark = "="
				}
				line += mark + r.Name
			}
			got = append(got, line)
		}
	}
	want := []string{"# crash 1", "=d~e=h", "=a", "# ", "=b~f", "# crash 2", "=c", "# ", "=g"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got, want)
			break
		}
	}
}
