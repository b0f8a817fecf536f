package parse_test

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"whittle/parse"
	"whittle/parse/text"
)

// A tree may be deeper than Go's stack may grow.
func TestNearDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(4 << 20))
	const n = 50_000
	tree, err := text.Structure.Parse([]byte(strings.Repeat("(f ", n) + "x y" + strings.Repeat(")", n)))
	if err != nil {
		t.Fatal(err)
	}
	whole := parse.Whole(tree)
	for _, token := range []int32{1, int32(len(tree.Tokens)) - n - 1} { // an f, and the y
		for d := range tree.Nodes {
			if node := tree.Nodes[d]; tree.IsLeaf(int32(d)) && node.First == token {
				base, near := parse.Near(whole, whole.Drop(int32(d)))
				if !bytes.Contains(base.Render(), []byte("x y")) || len(near.Render()) >= len(base.Render()) {
					t.Errorf("without node %d, %d of %d bytes are near", d, len(near.Render()), len(base.Render()))
				}
			}
		}
	}
}
