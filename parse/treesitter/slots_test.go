package treesitter_test

import (
	"slices"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

// Slots do not depend on comments or on positions in a list.
func TestSlots(t *testing.T) {
	for _, x := range []struct {
		language, source string
		gone             []string
		left             string
	}{
		{"go", "package p\n\n// a\ntype a int\n\n// f\nfunc f() {}\n\n// b\n", []string{"func f() {}"}, "package p\n\n// a\ntype a int// f\n\n\n// b\n"},
		{"go", "package p\n\n// a\ntype a int\n\n// f\nfunc f() {}\n\n// b\n", []string{"type a int"}, "package p// a\n\n\n// f\nfunc f() {}\n\n// b\n"},
		{"go", "package p\nconst (\n\ta = iota\n\tb\n\tc\n\td\n)\n", []string{"b", "d"}, "package p\nconst (\n\ta = iota\n\tc\n)\n"},
		{"c", "enum e { a, b, c };\n", []string{"a", "b"}, "enum e { c };\n"},
		{"c", "enum e { a, b, c };\n", []string{"b", "c"}, "enum e { a};\n"},
		{"c", "enum e { a, /* b */ b, c, };\n", []string{"b"}, "enum e { a/* b */, c, };\n"},
		{"python", "f(a, b, c)\n", []string{"a", "c"}, "f(b)\n"},
		{"python", "a = [(1, 2), (3, 4), (5, 6)]\n", []string{"(1, 2)", "(5, 6)"}, "a = [(3, 4)]\n"},
		{"javascript", "a = [[1, 2], [3], [4]];\n", []string{"[3]"}, "a = [[1, 2], [4]];\n"},
		{"c", "int i = f(a, *b, -c, (d));\n", []string{"*b", "(d)"}, "int i = f(a, -c);\n"},
		{"rust", "/// a\nfn f() {}\n/* b */ // c\n", []string{}, "/// a\nfn f() {}\n/* b */ // c\n"},
	} {
		l, _ := grammars.Find(x.language)
		tree, err := l.Parse([]byte(x.source))
		if err != nil {
			t.Fatal(err)
		}
		var gone []int32
		for n, node := range tree.Nodes {
			text := x.source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End]
			if node.Slot.Droppable() && !node.Comment && slices.Contains(x.gone, text) {
				gone = append(gone, int32(n))
			}
		}
		for n, node := range tree.Nodes {
			if node.Comment && !tree.IsLeaf(int32(n)) {
				t.Errorf("a comment of %q has parts", x.source)
			}
		}
		if len(gone) < len(x.gone) {
			t.Errorf("of %q may go %d nodes of %q", x.source, len(gone), x.gone)
		}
		got := parse.Whole(tree).Drop(gone...).Render()
		if string(got) != x.left {
			t.Errorf("%q without %q is %q, want %q", x.source, x.gone, got, x.left)
		}
		if errors := l.Errors(got); errors > 0 {
			t.Errorf("%q has %d errors", got, errors)
		}
	}
}
