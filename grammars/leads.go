package grammars

import "whittle/parse"

// leads derives that attributes and such nodes go with the sibling that follows them. Grammars take them for siblings,
// but compilers reject one alone.
func leads(t *parse.Tree, isLead func(n int32) bool) parse.Derivation {
	type run struct {
		nodes []int32
		of    int32
	}
	var runs []run
	for n := int32(0); n < int32(len(t.Nodes)); n++ {
		var nodes []int32
		of := n
		for ; of < int32(len(t.Nodes)); of = t.Nodes[of].Next {
			if isLead(of) {
				nodes = append(nodes, of)
			} else if nodes == nil || !t.Nodes[of].Comment {
				break
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
