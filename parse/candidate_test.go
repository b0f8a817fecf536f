package parse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func whole(t testing.TB, language, source string) *parse.Candidate {
	t.Helper()
	l, _ := grammars.Find(language)
	tree, err := l.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return parse.Whole(tree)
}

func node(t testing.TB, c *parse.Candidate, text string) int32 {
	t.Helper()
	tree := c.Tree()
	for i, n := range tree.Nodes {
		if n.First < n.Last && string(tree.Source[tree.Tokens[n.First].Start:tree.Tokens[n.Last-1].End]) == text {
			return int32(i)
		}
	}
	t.Fatalf("no node %q", text)
	return 0
}

// White space goes with the text after it, line breaks stay, tokens do not fuse.
func TestDrop(t *testing.T) {
	for _, x := range []struct{ language, source, drop, want string }{
		{"c", "int a;\n\n\tint b;\nint c;\n", "int b;", "int a;\nint c;\n"},
		{"c", "int a;\r\nint b;\r\nint c;\r\n", "int a;", "int b;\r\nint c;\r\n"},
		{"c", "\n\nint a;\n int b;\n", "int a;", " int b;\n"},
		{"c", "int a;\nint b;", "int b;", "int a;"},
		{"c", "// x\nint a; int b;\n", "int a;", "// x\nint b;\n"},
		{"c", "int f(int a, int b, int c);", "int a", "int f(int b, int c);"},
		{"c", "int f(int a, int b, int c);", "int b", "int f(int a, int c);"},
		{"c", "int f(int a, int b, int c);", "int c", "int f(int a, int b);"},
		{"c", "int a[] = {1,2,};", "2", "int a[] = {1,};"},
		{"c", "int f() { return x+-y; }", "x", "int f() { return+-y; }"},
		{"c", "int f() { return a; }", "a", "int f() { return; }"},
		{"python", "if a:\n    x\n    y\nz\n", "y", "if a:\n    x\nz\n"},
		{"python", "if a:\n    x\n    y\nz\n", "x", "if a:\n    y\nz\n"},
		{"lines", "a\r\nb\r\nc", "b\r\n", "a\r\nc"},
		{"words", "a  b\tc\n", "b", "a\tc\n"},
	} {
		c := whole(t, x.language, x.source)
		if got := string(c.Drop(node(t, c, x.drop)).Render()); got != x.want {
			t.Errorf("%q without %q is %q, want %q", x.source, x.drop, got, x.want)
		}
	}
}

// A replacement keeps significant indentation.
func TestHoist(t *testing.T) {
	for _, x := range []struct{ language, source, node, by, want string }{
		{"c", "int f() {\n  if (a) {\n    b;\n    c;\n  }\n}\n", "if (a) {\n    b;\n    c;\n  }", "{\n    b;\n    c;\n  }",
			"int f() {\n  {\n    b;\n    c;\n  }\n}\n"},
		{"c", "int x = a+(b);", "a+(b)", "b", "int x = b;"},
		{"c", "int f() { return(x); }", "(x)", "x", "int f() { return x; }"},
		{"python", "if a:\n    while b:\n        x\n        y\nz\n", "while b:\n        x\n        y", "x\n        y",
			"if a:\n    x\n    y\nz\n"},
		{"python", "if a:\n    x\n    if b:\n        y\nz\n", "if a:\n    x\n    if b:\n        y", "if b:\n        y",
			"if b:\n    y\nz\n"},
	} {
		c := whole(t, x.language, x.source)
		if got := string(c.Hoist(node(t, c, x.node), node(t, c, x.by)).Render()); got != x.want {
			t.Errorf("%q with %q for %q is %q, want %q", x.source, x.by, x.node, got, x.want)
		}
	}
}

func TestPrune(t *testing.T) {
	for _, x := range []struct{ source, node, want string }{
		{"int f() { g(); h(); }", "{ g(); h(); }", "int f() { }"},
		{"int x = a + b * 2;", "a + b * 2", "int x;"},
		{"int f() { if (a && b) return 1; }", "(a && b)", "int f() { if (a) return 1; }"},
	} {
		c := whole(t, "c", x.source)
		n := node(t, c, x.node)
		if got := string(c.Prune(n).Render()); got != x.want {
			t.Errorf("%q with %q pruned is %q, want %q (slot %d)", x.source, x.node, got, x.want, c.Tree().Nodes[n].Slot)
		}
	}
}

func ExampleCandidate_Drop() {
	l, _ := grammars.Find("c")
	tree, _ := l.Parse([]byte("int f(int a, int b);"))
	c := parse.Whole(tree)
	for n := range tree.Nodes {
		if tree.Nodes[n].Slot == parse.Star {
			fmt.Printf("%s\n", c.Drop(int32(n)).Render())
		}
	}
	// Output:
	// int f(int b);
	// int f(int a);
}

func ExampleCandidate_Apply() {
	l, _ := grammars.Find("c")
	tree, _ := l.Parse([]byte("int f(int a) { return a; }\nint x = f(1);\n"))
	c := parse.Whole(tree)
	for n := range int32(len(tree.Nodes)) {
		if body := tree.Child(n, "body"); body >= 0 {
			c = c.Apply(tree.Replace([]int32{body}, parse.Literal("", ";")))
		}
		if tree.Is(n, "call_expression") {
			c = c.Apply(tree.Replace([]int32{n}, parse.Nodes(tree.Child(n, "function"))))
		}
	}
	fmt.Printf("%s", c.Render())
	// Output:
	// int f(int a) ;
	// int x = f;
}

func TestDropSeparators(t *testing.T) {
	const source = "x == 1 * 5\n"
	for _, x := range []struct {
		drop []string
		want string
	}{
		{[]string{"x"}, "1 * 5\n"},
		{[]string{"1"}, "x * 5\n"},
		{[]string{"5"}, "x == 1\n"},
		{[]string{"x", "1"}, "5\n"},
		{[]string{"1", "5"}, "x\n"},
		{[]string{"x", "5"}, "1\n"},
		{[]string{"1", "*"}, "x == 5\n"},
		{[]string{"==", "1"}, "x * 5\n"},
		{[]string{"x", "=="}, "1 * 5\n"},
		{[]string{"*", "5"}, "x == 1\n"},
		{[]string{"1", "*", "5"}, "x\n"},
		{[]string{"*"}, "x == 1 5\n"},
	} {
		c := whole(t, "structure", source)
		var nodes []int32
		for _, text := range x.drop {
			nodes = append(nodes, node(t, c, text))
		}
		if got := string(c.Drop(nodes...).Render()); got != x.want {
			t.Errorf("without %q it is %q, want %q", x.drop, got, x.want)
		}
	}
}

func TestDropLastComma(t *testing.T) {
	c := whole(t, "rust", "struct S {a: A, b: B,}\n")
	a, b := node(t, c, "a: A"), node(t, c, "b: B")
	for _, got := range []*parse.Candidate{c.Drop(a, b), c.Drop(a).Drop(b), c.Drop(b).Drop(a)} {
		if got := string(got.Render()); got != "struct S {}\n" {
			t.Errorf("got %q", got)
		}
	}
	if got := string(c.Drop(a).Render()); got != "struct S {b: B,}\n" {
		t.Errorf("got %q", got)
	}
}

// The grammar of TypeScript allows a semicolon alone in a class, but not in an interface.
func TestDropLastSemicolon(t *testing.T) {
	c := whole(t, "typescript", "interface I { a: A; b(): B; } // c\n")
	a, b := node(t, c, "a: A"), node(t, c, "b(): B")
	if got := string(c.Drop(a, b).Render()); got != "interface I { } // c\n" {
		t.Errorf("got %q", got)
	}
}

func TestWeightOf(t *testing.T) {
	nest := strings.Repeat("(a, [", 300) + "x" + strings.Repeat("] b)", 300)
	flat := strings.Repeat("one two three\n", 1000)
	for language, source := range map[string]string{"structure": nest, "lines": flat} {
		c := whole(t, language, source)
		tree := c.Tree()
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			want := make([]int, len(tree.Tokens)+1)
			for n := range tree.Nodes {
				if first := tree.Nodes[n].First; tree.IsLeaf(int32(n)) && c.Live(int32(n)) {
					want[first+1] = 1
					if tree.Weights != nil {
						want[first+1] = int(tree.Weights[first])
					}
				}
			}
			for i := range tree.Tokens {
				want[i+1] += want[i]
			}
			for n, node := range tree.Nodes {
				weight := want[node.Last] - want[node.First]
				if c.WeightOf(int32(n)) != weight || c.Live(int32(n)) != (weight > 0) {
					t.Fatalf("%s: node %d weighs %d, want %d", language, n, c.WeightOf(int32(n)), weight)
				}
			}
			if c.Weight() != want[len(tree.Tokens)] {
				t.Fatalf("%s: weight %d, want %d", language, c.Weight(), want[len(tree.Tokens)])
			}
			n := int32(r.IntN(len(tree.Nodes)))
			if c = c.Drop(n); r.IntN(4) == 0 {
				c = c.Drop(int32(r.IntN(len(tree.Nodes))), n)
			}
			if c.Weight() < 50 {
				c = parse.Whole(tree)
			}
		}
	}
}
