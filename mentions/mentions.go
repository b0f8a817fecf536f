// Package mentions has a pass over the definitions of a file, by what they mention.
package mentions

import (
	"whittle/algo"
	"whittle/algo/grain"
	"whittle/parse"
	"whittle/pass"
)

// Definitions is a pass over one list, of all definitions of the file: functions, types,
// fields and so on, wherever they stand. What a candidate keeps of them it keeps with all
// that this mentions, so it has what it needs. In a file in which everything is mentioned
// by something else hardly anything can go alone, but few definitions matter: they are
// found like a few items of a list.
//
//	a   b(a)   c   d(b)   e(c d)   f(e)     in brackets what each mentions; d matters
//	- asked for d alone -
//	a   b      .   d      .        .        a and b stay, for d needs them
//
// Which word defines what, and which mentions it, is a guess from what grammars call their
// fields. A wrong guess costs tests.
func Definitions() pass.Pass { return pass.Pass{Name: "definitions", Search: definitions} }

// fewest is how many definitions are a list.
const fewest = 8

func definitions(t *parse.Tree, gate pass.Gate, _ pass.Plan) *pass.Step {
	base := parse.Whole(t)
	g := read(base)
	if g == nil || len(g.units) < fewest {
		return nil
	}
	n := len(g.units)
	weights := make([]int, n) // from the end of the file: what is used stands before what uses it
	for i := range g.units {
		u := &g.units[i]
		weights[n-1-i] = base.WeightOf(u.node)
		for _, m := range u.members {
			weights[n-1-i] -= base.WeightOf(g.units[m].node)
		}
	}
	list := algo.List{Mode: algo.Items, Weights: weights, Whole: base.Weight()}
	s := search{gate, list, func(kept []int) *parse.Candidate {
		wanted := make([]int32, len(kept))
		for i, k := range kept {
			wanted[i] = int32(n - 1 - k)
		}
		return g.keep(base, wanted)
	}}
	return s.step(grain.Entry().With(algo.Params{})(weights), base, algo.All(n))
}

// A search is that of the list, with grain, whichever algorithm the others have: it is
// about few items of many, and its threshold is not for a list of which a candidate keeps
// more than is asked for.
type search struct {
	gate pass.Gate
	list algo.List
	edit func(kept []int) *parse.Candidate
}

// step asks the next question; base is the file with what is left of the list. An item
// may go without a test if it stays anyway, for something else mentions it.
func (s *search) step(next *algo.Step[[]int], base *parse.Candidate, left []int) *pass.Step {
	for !next.Ended() {
		asked, c := next, s.edit(next.Candidate)
		switch {
		case c.Weight() == base.Weight():
			next, left = asked.Next(algo.Interesting), asked.Candidate
		case !s.gate.Allows(base, c):
			next = asked.Next(algo.Unresolved)
		default:
			about := &algo.Question{List: &s.list, Left: left, Kept: asked.Candidate}
			return &pass.Step{Candidate: c, Chance: asked.Chance, About: about, Next: func(o algo.Outcome) *pass.Step {
				if o == algo.Interesting {
					return s.step(asked.Next(o), c, asked.Candidate)
				}
				return s.step(asked.Next(o), base, left)
			}}
		}
	}
	return nil
}
