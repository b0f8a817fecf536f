package pass

import (
	"whittle/algo"
	"whittle/parse"
)

// Comments tries the file without any of its comments, as one candidate. Later
// passes try each like any other node.
func Comments() Pass { return Pass{Name: "comments", When: First, Search: comments} }

func comments(t *parse.Tree, gate Gate, _ Plan) *Step {
	var found []int32
	for n := range t.Nodes {
		if t.Nodes[n].Comment && n > 0 {
			found = append(found, int32(n))
		}
	}
	if len(found) == 0 {
		return nil
	}
	base := parse.Whole(t)
	without := base.Drop(found...)
	if !gate.Allows(base, without) {
		return nil
	}
	return &Step{Candidate: without, Next: func(algo.Outcome) *Step { return nil }}
}
