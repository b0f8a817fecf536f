package deps

import (
	"whittle/algo"
	"whittle/algo/grain"
	"whittle/parse"
	"whittle/pass"
)

// A search is that of a list, with grain, whichever algorithm the others have: it is
// about few items of many, and its threshold is not for a list of which a candidate keeps
// more than is asked for.
type search struct {
	*hunt
	list algo.List
	edit func(kept []int) *parse.Candidate
	slow func(at state, goOn func() *pass.Step) *pass.Step // what is next when it has become slow
	then func(at state) *pass.Step                         // and when it has ended
}

// A state is what a search has come to.
type state struct {
	base   *parse.Candidate // the file with what is left of the list
	left   []int
	needed []int // which of them cannot go alone
	course course
}

// begin asks the first question, on a course.
func (s *search) begin(base *parse.Candidate, c course) *pass.Step {
	weights := s.list.Weights
	next := grain.Entry().With(algo.Params{})
	if s.plan.Abreast {
		next = func([]int) *algo.Step[[]int] { return s.plan.Policy.Search(&s.list) }
	}
	return s.step(next(weights), state{base: base, left: algo.All(len(weights)), course: c})
}

// step asks the next question. An item may go without a test if it stays anyway, for
// something else mentions it.
func (s *search) step(next *algo.Step[[]int], at state) *pass.Step {
	for !next.Ended() {
		if !s.plan.Abreast && at.course.slow(at.base.Weight()) {
			at.course = course{}
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

// after is what it has come to when the outcome of a question is known.
func (at state) after(kept []int, c *parse.Candidate, o algo.Outcome) state {
	at.course = at.course.after(at.base.Weight())
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

// patience is how many questions of a search have to make the file smaller by one part
// of share; if they do not, it is slow.
const (
	patience = 12
	share    = 50
)

// A course is what the file weighed before each of the last questions.
type course struct {
	weights [patience]int
	asked   int
}

func (c course) after(weight int) course {
	c.weights[c.asked%patience] = weight
	c.asked++
	return c
}

func (c course) slow(weight int) bool {
	return c.asked >= patience && (c.weights[c.asked%patience]-weight)*share < weight
}

// known is [algo.List.Known] of definitions and parts, which are known by their text.
func (h *hunt) known(base *parse.Candidate, nodes []int32) func(i int) (own, around uint64) {
	if !h.plan.Abreast {
		return nil
	}
	prints := parse.NewFingerprints(base)
	return func(i int) (own, around uint64) {
		own = prints.Siblings(nodes[i])
		return own, own
	}
}
