package whittle

import (
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// layout tries the file in a plain layout once nothing more can go, as one
// candidate, and where that is not interesting in one that is more careful.
var layout = pass{name: "layout", last: true, search: func(t *parse.Tree, ok allows, _ rounds.Plan) *step {
	base := parse.Whole(t)
	var try func(careful bool) *step
	try = func(careful bool) *step {
		if c := parse.Plain(t, careful); ok(base, c) {
			return &step{Candidate: c, Next: func(o algo.Outcome) *step {
				if o == algo.Interesting || careful {
					return nil
				}
				return try(true)
			}}
		}
		if careful {
			return nil
		}
		return try(true)
	}
	return try(false)
}}
