package c2d2

import (
	"math"
	"math/rand/v2"
	"slices"

	"whittle/algo"
)

// A search is the state of Algorithm 1. It is immutable. Items are identified by their places in the current list.
type search struct {
	config *Config // never changed
	items  int     // of the whole list
	list   []int
	model  model
	matrix matrix // nil if the list is too long, or before the first need
	past   *past
	random rand.PCG // a copy draws the same numbers again

	chosen  []int // how often each item was in a chosen set
	chanced bool  // the last set was chosen by equal chances
	rounds  int   // chosen sets
	tried   int   // attempts at resolving
	afresh  int   // rounds of starting afresh
}

func (s search) begin() *step {
	if s.config.Needs != nil {
		s.matrix = s.newMatrix()
	}
	var kept []int
	for i, item := range s.list {
		if !slices.Contains(s.config.Cold, item) {
			kept = append(kept, i)
		}
	}
	if s.known(kept) {
		return s.next()
	}
	return s.try(kept)
}

// newMatrix returns the matrix of the reported needs and past outcomes, or nil if the list is too long.
func (s search) newMatrix() matrix {
	if len(s.list) > s.config.Longest {
		return nil
	}
	m := newMatrix(s.list, s.config.Needs, s.config.Reported, s.config.Unreported)
	for p := s.past; p != nil; p = p.before {
		if p.outcome == algo.Uninteresting {
			kept := p.kept.places(s.list)
			m = m.resolved(kept, s.without(kept))
		}
	}
	return m
}

// next tries a set, until all items are decided. A set that must be uninteresting is not asked.
func (s search) next() *step {
	for {
		removed := s.model.leastNeeded()
		if len(removed) == 0 {
			return s.sweep(0, 0)
		}
		kept := s.byChance()
		if !s.chanced {
			kept = s.without(removed)
		}
		s.rounds++
		s.chosen = slices.Clone(s.chosen)
		for _, i := range kept {
			s.chosen[i]++
		}
		if !s.past.fails(s.set(kept)) {
			return s.try(kept)
		}
		s = s.failed(kept)
	}
}

// try asks for a set, and resolves it if it is unresolved, as a set that was asked before is.
func (s search) try(kept []int) *step {
	if s.past.asked(s.set(kept)) || s.broken(kept) {
		return s.resolve(kept)
	}
	return s.ask(kept,
		func(s search) *step { return s.next() },
		func(s search) *step { return s.resolve(kept) })
}

// ask asks for a set, which becomes the list if it is interesting. no and unresolved continue after other outcomes.
func (s search) ask(kept []int, no, unresolved func(s search) *step) *step {
	next := func(o algo.Outcome) *step {
		learned := s.learned(kept, o)
		switch o {
		case algo.Interesting:
			return learned.next()
		case algo.Unresolved:
			return unresolved(learned)
		}
		return no(learned.failed(kept))
	}
	return &step{Candidate: pick(s.list, kept), Next: next, Chance: 1 - s.model.oneNeeded(s.without(kept))}
}

// learned returns the search after an outcome, except for the model; see failed.
func (s search) learned(kept []int, o algo.Outcome) search {
	s.past = &past{s.set(kept), o, s.past}
	if s.matrix == nil && (o == algo.Unresolved || s.config.Needs != nil) {
		s.matrix = s.newMatrix()
	}
	switch {
	case s.matrix == nil:
	case o == algo.Interesting:
		s.matrix = s.matrix.reduced(kept)
	case o == algo.Unresolved:
		s.matrix = s.matrix.unresolved(kept, s.without(kept))
	default:
		s.matrix = s.matrix.resolved(kept, s.without(kept))
	}
	if o == algo.Interesting {
		s.list, s.model, s.chosen = pick(s.list, kept), pick(s.model, kept), pick(s.chosen, kept)
	}
	return s
}

func (s search) failed(kept []int) search {
	s.model = s.model.failed(s.without(kept))
	return s
}

// sweep tries to remove each item alone, in a circle, until all have failed since the last success.
func (s search) sweep(at, vain int) *step {
	for ; vain < len(s.list) && len(s.list) > 1; at, vain = at+1, vain+1 {
		at %= len(s.list)
		kept := s.without([]int{at})
		if s.past.asked(s.set(kept)) {
			continue
		}
		return algo.Ask(pick(s.list, kept),
			func() *step { return s.learned(kept, algo.Interesting).sweep(at, 0) },
			func() *step { return s.sweep(at+1, vain+1) })
	}
	return nil
}

// attempts returns K (§3.3.4), the limit of s.tried.
func (s search) attempts() int {
	return int(s.config.Attempts * float64(s.rounds) * math.Log(float64(len(s.list))))
}

func (s search) known(kept []int) bool {
	set := s.set(kept)
	return len(kept) == len(s.list) || s.past.asked(set) || s.past.fails(set) || s.broken(kept)
}

// broken reports whether needs are trusted and a kept item certainly needs a removed one.
func (s search) broken(kept []int) bool {
	if !s.config.Trust || s.matrix == nil {
		return false
	}
	removed := s.without(kept)
	return slices.ContainsFunc(kept, func(i int) bool { return s.matrix.needs(i, removed) == 1 })
}

func (s search) without(places []int) []int { return algo.Without(algo.All(len(s.list)), places) }

func (s search) set(kept []int) set { return newSet(s.items, pick(s.list, kept)) }
