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
	list  algo.List
	nodes []int32 // of the items; nil for roots
	edit  func(kept []int, learned needs) *parse.Candidate
	most  int                                               // repairs in a row, which are not counted; 0: mostRepairs
	slow  func(at state, goOn func() *pass.Step) *pass.Step // when the search became slow
	then  func(at state) *pass.Step                         // after its end
}

type state struct {
	base    *parse.Candidate
	left    []int
	needed  []int // not removable alone
	pinned  []int // items that always stay
	learned experience
	pace    pace
	slowed  bool // before; then the search of functions has ended
}

func (s *search) begin(t progress, c pace) *pass.Step {
	weights := s.list.Weights
	next := grain.Entry().With(algo.Params{})
	if s.plan.Abreast {
		next = func([]int) *algo.Step[[]int] { return s.plan.Policy.Search(&s.list) }
	}
	return s.step(next(weights), state{base: t.base, learned: t.learned, left: algo.All(len(weights)), pace: c})
}

// step asks the next question. An item that stays because others mention it counts as removed.
func (s *search) step(next *algo.Step[[]int], at state) *pass.Step {
	for !next.Ended() {
		if !s.plan.Abreast && s.slow != nil && at.pace.slow(at.base.Weight()) {
			if at.slowed {
				return nil // other passes first
			}
			at.pace, at.slowed = pace{}, true
			return s.slow(at, func() *pass.Step { return s.step(next, at) })
		}
		asked, kept := next, at.with(next.Candidate)
		edit := func(kept []int) *parse.Candidate { return s.edit(at.with(kept), at.learned.needs) }
		c := edit(kept)
		switch {
		case c.Weight() == at.base.Weight():
			next, at.left = asked.Next(algo.Interesting), kept
		case !s.gate.Allows(at.base, c):
			next = asked.Next(algo.Unresolved)
		default:
			about := &algo.Question{List: &s.list, Left: at.left, Kept: kept}
			return &pass.Step{
				Candidate: c, Chance: asked.Chance, About: about, Edit: edit,
				Next: func(o algo.Outcome) *pass.Step { return s.step(asked.Next(o), at.after(kept, c, o)) },
				Repair: func(reasons []string) *pass.Step {
					return s.repair(asked, at, c, reasons, 0, func(so pass.Repairs) *pass.Step {
						at := at.after(kept, c, algo.Uninteresting)
						at.learned.repairs = so
						return s.step(asked.Next(algo.Uninteresting), at)
					})
				},
			}
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
	hurried bool // also slow if the first patience/2 questions remove nothing
}

func (c pace) after(weight int) pace {
	c.weights[c.asked%patience] = weight
	c.asked++
	return c
}

func (c pace) slow(weight int) bool {
	return c.hurried && c.asked == patience/2 && c.weights[0] == weight ||
		c.asked >= patience && (c.weights[c.asked%patience]-weight)*share < weight
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
