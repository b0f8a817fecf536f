package grammars_test

import (
	"testing"

	"whittle/grammars"
)

// Compilers reject a file without these nodes.
func TestRequired(t *testing.T) {
	for _, test := range []struct{ name, file, node string }{
		{"a.go", "package p\nfunc f() { g() }\n", "{ g() }"},
		{"a.go", "package p\nfunc (a A) f() { g() }\n", "{ g() }"},
		{"a.toml", "[a]\nb = \"c\"\n", "\"c\""},
		{"a.toml", "a = 1\n[b]\n", "1"},
	} {
		tree, err := grammars.ForFile(test.name).Parse([]byte(test.file))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, n := range tree.Nodes {
			text := test.file[tree.Tokens[n.First].Start:tree.Tokens[n.Last-1].End]
			if text == test.node {
				found = true
				if n.Slot.Droppable() {
					t.Errorf("%s may be deleted in %q", text, test.file)
				}
			}
		}
		if !found {
			t.Errorf("%q has no node %s", test.file, test.node)
		}
	}
}
