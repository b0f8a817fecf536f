package c2d2

import (
	"math/rand/v2"
	"slices"
)

// resolve replaces an unresolved set (Algorithm 2), alternately by adding and removing items. Without success, the set
// counts as uninteresting.
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

// more draws a superset with removed items that the kept items need (§3.3.2), transitively: each with the probability
// that one of the items added last needs it.
func (s *search) more(kept, removed []int) []int {
	all := slices.Clone(kept)
	for added := kept; len(added) > 0; {
		before := added
		added, removed = s.draw(removed, func(j int) float64 { return s.matrix.needed(j, before) })
		all = append(all, added...)
	}
	slices.Sort(all)
	return all
}

// fewer draws a subset without the kept items that need removed ones (§3.3.3), transitively: each is removed with the
// probability that it needs one of the items removed last. Line 13 of Algorithm 2 has the initially removed items
// instead; this follows the text.
func (s *search) fewer(kept, removed []int) []int {
	for gone := removed; len(gone) > 0; {
		before := gone
		gone, kept = s.draw(kept, func(i int) float64 { return s.matrix.needs(i, before) })
	}
	return kept
}

func (s *search) draw(items []int, chance func(int) float64) (drawn, rest []int) {
	r := rand.New(&s.random)
	for _, i := range items {
		if r.Float64() < chance(i) {
			drawn = append(drawn, i)
		} else {
			rest = append(rest, i)
		}
	}
	return drawn, rest
}
