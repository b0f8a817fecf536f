package treesitter_test

import (
	"slices"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func TestRegroup(t *testing.T) {
	const inside = "namespace std __attribute__ ((__visibility__ (\"default\")))\n{\nint a;\nint b;\nstruct c { int d; };\n@ ]\n}\n"
	const source = "int first;\n" + inside + "int last;\n"
	l, _ := grammars.Find("cpp")
	tree, err := l.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if tree.Errors == 0 {
		t.Fatal("the source should have syntax errors")
	}
	whole := parse.Whole(tree)
	for n := range tree.Nodes {
		// Brackets of the other nodes stay balanced whatever goes.
		depth := 0
		for _, b := range whole.Drop(int32(n)).Render() {
			switch b {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		if depth != 0 && tree.Nodes[n].Slot.Droppable() && !tree.IsLeaf(int32(n)) {
			node := tree.Nodes[n]
			t.Errorf("without node %d, %q, brackets do not match", n,
				source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End])
		}
	}
}

func TestRegroupStatements(t *testing.T) {
	for _, c := range []struct{ language, source, part string }{
		{"c", "struct s { int x; };\ntypedef int t;\n", "struct s { int x; };"},
		{"c", "t;\nint16_t;\ntypedef long i;\n", "int16_t;"},
		{"c", "int32_t;\n*f();\ng(void)\n{\n}\n", "int32_t;"},
		{"c", "typedef int t;\nf()\n{\n}\nint x;\n", "f()\n{\n}"},
		{"c", "int x;\nf(const *p)\n{\n  return;\n}\n", "f(const *p)\n{\n  return;\n}"},
		{"cpp", "int x;\ntemplate<class T> T f(T) requires (true) && g(T) && g(T)\n{ }\nint y;\n",
			"template<class T> T f(T) requires (true) && g(T) && g(T)\n{ }"},
	} {
		l, _ := grammars.Find(c.language)
		tree, err := l.Parse([]byte(c.source))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(parse.Whole(tree).Render()); got != c.source {
			t.Errorf("%q became %q", c.source, got)
		}
		var parts []string
		for n := int32(1); n < int32(len(tree.Nodes)); n = tree.Nodes[n].Next {
			if node := tree.Nodes[n]; node.Slot.Droppable() {
				parts = append(parts, c.source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End])
			}
		}
		if !slices.Contains(parts, c.part) {
			t.Errorf("in %q what can go at once is %q, not %q", c.source, parts, c.part)
		}
	}
}
