package pass

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// Items runs the algorithm once on the root's children.
func Items() Pass { return Pass{Name: "list", When: First, Search: items} }

func items(t *parse.Tree, gate Gate, plan Plan) *Step {
	base := parse.Whole(t)
	items := base.Children(0)
	weights := make([]int, len(items))
	for i, n := range items {
		weights[i] = base.WeightOf(n)
	}
	type none = struct{}
	d := rounds.Driver[*parse.Candidate, none]{Plan: plan.Plan, Allows: gate.Allows}
	return d.Only(base, &rounds.Task[*parse.Candidate, none]{
		List: algo.List{Mode: algo.Some, Weights: weights},
		Edit: func(base *parse.Candidate, kept []int) *parse.Candidate {
			return base.Drop(parse.Others(items, kept)...)
		},
	})
}
