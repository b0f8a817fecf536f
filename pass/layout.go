package pass

import (
	"whittle/algo"
	"whittle/parse"
)

// Layout tries the file in a plain layout once nothing more can go, as one
// candidate, and where that is not interesting in one that is more careful.
func Layout() Pass {
	return Pass{Name: "layout", When: Last, Search: func(t *parse.Tree, gate Gate, _ Plan) *Step {
		return layout(t, gate, false)
	}}
}

func layout(t *parse.Tree, gate Gate, careful bool) *Step {
	next := func(o algo.Outcome) *Step {
		if o == algo.Interesting || careful {
			return nil
		}
		return layout(t, gate, true)
	}
	c := parse.Plain(t, careful)
	if !gate.Allows(parse.Whole(t), c) {
		return next(algo.Unresolved)
	}
	return &Step{Candidate: c, Next: next}
}
