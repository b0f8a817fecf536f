package grammars

import "whittle/parse"

// pairs makes values of TOML required. Their line breaks are hidden, so the tables of the grammar do not tell.
func pairs(t *parse.Tree) parse.Derivation {
	for n := range int32(len(t.Nodes)) {
		if t.Is(n, "pair") && !t.IsLeaf(n) {
			last := n + 1
			for t.Nodes[last].Next < t.Nodes[n].Next {
				last = t.Nodes[last].Next
			}
			t.Nodes[last].Slot = parse.Required
		}
	}
	return nil
}
