package treesitter_test

import (
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

// What stands between brackets that error recovery has torn apart can go in one
// piece.
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
			t.Errorf("without node %d, %q, brackets do not match", n, source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End])
		}
	}
}
