package grammars

import "whittle/parse"

// leads returns a func for [parse.Tree.Derive] that deletes nodes of a kind, such as attributes, without the sibling
// that follows them. Grammars take them for siblings, but compilers reject one alone.
func leads(kind string) func(t *parse.Tree) func(c *parse.Candidate, first int32) []parse.Edit {
	return func(t *parse.Tree) func(c *parse.Candidate, first int32) []parse.Edit {
		type lead struct{ node, of int32 }
		var all []lead
		for n := range int32(len(t.Nodes)) {
			of := n
			for of < int32(len(t.Nodes)) && (t.Is(of, kind) || t.Nodes[of].Comment) {
				of = t.Nodes[of].Next
			}
			if of > n && of < int32(len(t.Nodes)) && t.Is(n, kind) && t.Nodes[of].Parent == t.Nodes[n].Parent && !t.IsFixed(of) {
				all = append(all, lead{n, of})
			}
		}
		return func(c *parse.Candidate, first int32) (edits []parse.Edit) {
			for _, l := range all {
				if c.Live(l.node+first) && !c.Live(l.of+first) {
					edits = append(edits, c.Tree().Replace([]int32{l.node + first}))
				}
			}
			return edits
		}
	}
}
