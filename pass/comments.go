package pass

import (
	"whittle/algo"
	"whittle/parse"
)

// Comments tries the file without all comments, as one candidate. If that is not interesting, it tries it without plain
// comments, and without nodes that are only parsed like comments, such as attributes in C++.
func Comments() Pass { return Pass{Name: "comments", When: First, Search: comments} }

func comments(t *parse.Tree, gate Gate, _ Plan) *Step {
	var all, texts, asides []int32
	for n := range int32(len(t.Nodes)) {
		if n == 0 || !t.Nodes[n].Comment {
			continue
		}
		all = append(all, n)
		if t.IsLeaf(n) {
			texts = append(texts, n)
		} else {
			asides = append(asides, n)
		}
	}
	base := parse.Whole(t)
	return without(base, all, gate, func() *Step {
		if len(texts) == 0 || len(asides) == 0 {
			return nil
		}
		return without(base, texts, gate, func() *Step {
			return without(base, asides, gate, func() *Step { return nil })
		})
	})
}

// mostly is the probability that comments can be removed.
const mostly = 0.9

func without(base *parse.Candidate, nodes []int32, gate Gate, otherwise func() *Step) *Step {
	c := base.Drop(nodes...)
	if len(nodes) == 0 || !gate.Allows(base, c) {
		return otherwise()
	}
	return &Step{Candidate: c, Chance: mostly, Next: func(o algo.Outcome) *Step {
		if o == algo.Interesting {
			return nil
		}
		return otherwise()
	}}
}
