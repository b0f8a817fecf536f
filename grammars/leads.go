package grammars

import "whittle/parse"

// leads derives that nodes of a kind, such as attributes, go with the sibling that follows them. Grammars take them for
// siblings, but compilers reject one alone.
func leads(kind string) func(t *parse.Tree) parse.Derivation {
	return func(t *parse.Tree) parse.Derivation {
		type run struct {
			nodes []int32
			of    int32
		}
		var runs []run
		for n := int32(0); n < int32(len(t.Nodes)); n++ {
			var nodes []int32
			of := n
			for ; of < int32(len(t.Nodes)) && (t.Is(of, kind) || nodes != nil && t.Nodes[of].Comment); of = t.Nodes[of].Next {
				if t.Is(of, kind) {
					nodes = append(nodes, of)
				}
			}
			if nodes == nil {
				continue
			}
			if of < int32(len(t.Nodes)) && t.Nodes[of].Parent == t.Nodes[n].Parent && !t.IsFixed(of) {
				runs = append(runs, run{nodes, of})
			}
			n = of - 1
		}
		return func(c *parse.Candidate, first int32) (edits []parse.Edit) {
			for _, r := range runs {
				for _, n := range r.nodes {
					if c.Live(n+first) && !c.Live(r.of+first) {
						edits = append(edits, c.Tree().Replace([]int32{n + first}))
					}
				}
			}
			return edits
		}
	}
}
