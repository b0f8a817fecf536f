package c2d2

import (
	"math/rand/v2"
	"slices"
)

// resolve looks for a resolved set in the place of one that is not (Algorithm 2), by
// turns with more items and with fewer. If there is none the set counts as
// uninteresting.
func (s search) resolve(kept []int) *step {
	if s.matrix == nil {
		return s.failed(kept).next()
	}
	again := func(s search) *step { return s.resolve(kept) }
	removed := s.without(kept)
	for s.tried < 2*s.attempts() {
		s.tried++
		if s.tried%2 == 1 {
			if more := s.more(kept, removed); !s.known(more) {
				return s.ask(more, func(s search) *step { return s.next() }, again)
			}
		} else if fewer := s.fewer(kept, removed); !s.known(fewer) {
			return s.ask(fewer, again, again)
		}
	}
	s = s.failed(kept)
	if !s.config.Afresh {
		return s.next()
	}
	return s.startAfresh(0, s.attempts()-s.afresh)
}

// more draws a set that has what the kept items need of the removed ones (§3.3.2),
// and what that needs, and so on: each with the probability that one of those that
// were added last needs it.
func (s *search) more(kept, removed []int) []int {
	r := rand.New(&s.random)
	all := slices.Clone(kept)
	for added := kept; len(added) > 0; {
		var some, rest []int
		for _, j := range removed {
			if r.Float64() < s.matrix.needed(j, added) {
				some = append(some, j)
			} else {
				rest = append(rest, j)
			}
		}
		all = append(all, some...)
		added, removed = some, rest
	}
	slices.Sort(all)
	return all
}

// fewer draws a set without the kept items that need the removed ones (§3.3.3), nor what
// needs those, and so on: each goes with the probability that it needs one of
// those that have gone last. Algorithm 2 has what was removed at first in the place
// of those, in line 13; this is how the text has it.
func (s *search) fewer(kept, removed []int) []int {
	r := rand.New(&s.random)
	for gone := removed; len(gone) > 0; {
		var some, rest []int
		for _, i := range kept {
			if r.Float64() < s.matrix.needs(i, gone) {
				some = append(some, i)
			} else {
				rest = append(rest, i)
			}
		}
		kept, gone = rest, some
	}
	return kept
}
