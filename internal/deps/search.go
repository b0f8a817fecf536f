package deps

import (
	"whittle/algo"
	"whittle/algo/grain"
	"whittle/parse"
	"whittle/pass"
)

// A search is a list search with grain, since few items are required. Its own threshold replaces grain's, since
// candidates keep more than they ask.
type search struct {
	*explorer
	list algo.List
	edit func(kept []int) *parse.Candidate
	slow func(at state, goOn func() *pass.Step) *pass.Step // when the search became slow
	then func(at state) *pass.Step                         // after its end
}

type state struct {
	base   *parse.Candidate
	left   []int
	needed []int // not removable alone
	pace   pace
}

func (s *search) begin(base *parse.Candidate, c pace) *pass.Step {
	weights := s.list.Weights
	next := grain.Entry().With(algo.Params{})
	if s.plan.Abreast {
		next = func([]int) *algo.Step[[]int] { return s.plan.Policy.Search(&s.list) }
	}
	return s.step(next(weights), state{base: base, left: algo.All(len(weights)), pace: c})
}

// step asks the next question. An item that stays because others mention it counts as removed.
func (s *search) step(next *algo.Step[[]int], at state) *pass.Step {
	for !next.Ended() {
		if !s.plan.Abreast && at.pace.slow(at.base.Weight()) {
			at.pace = pace{}
			return s.slow(at, func() *pass.Step { return s.step(next, at) })
		}
		asked, c := next, s.edit(next.Candidate)
		switch {
		case c.Weight() == at.base.Weight():
			next, at.left = asked.Next(algo.Interesting), asked.Candidate
		case !s.gate.Allows(at.base, c):
			next = asked.Next(algo.Unresolved)
		default:
			about := &algo.Question{List: &s.list, Left: at.left, Kept: asked.Candidate}
			step := &pass.Step{Candidate: c, Chance: asked.Chance, About: about, Edit: s.edit}
			step.Next = func(o algo.Outcome) *pass.Step {
				return s.step(asked.Next(o), at.after(asked.Candidate, c, o))
			}
			return step
		}
	}
	return s.then(at)
}

func (at state) after(kept []int, c *parse.Candidate, o algo.Outcome) state {
	at.pace = at.pace.after(at.base.Weight())
	switch {
	case o == algo.Interesting:
		at.base, at.left = c, kept
	case len(kept) == len(at.left)-1:
		i := 0
		for i < len(kept) && kept[i] == at.left[i] {
			i++
		}
		at.needed = append(at.needed[:len(at.needed):len(at.needed)], at.left[i])
	}
	return at
}

// A search is slow if it removes less than 1/share of the file in patience questions.
const (
	patience = 12
	share    = 50
)

// A pace has the file's weight before each of the last questions.
type pace struct {
	weights [patience]int
	asked   int
}

func (c pace) after(weight int) pace {
	c.weights[c.asked%patience] = weight
	c.asked++
	return c
}

func (c pace) slow(weight int) bool {
	return c.asked >= patience && (c.weights[c.asked%patience]-weight)*share < weight
}

func (h *explorer) known(base *parse.Candidate, nodes []int32) func(i int) (own, around uint64) {
	if !h.plan.Abreast {
		return nil
	}
	prints := parse.NewFingerprints(base)
	return func(i int) (own, around uint64) {
		own = prints.Siblings(nodes[i])
		return own, own
	}
}
