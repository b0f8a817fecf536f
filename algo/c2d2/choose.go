package c2d2

import (
	"math/rand/v2"
	"slices"
)

// byChance chooses by equal chances, with probability ξ (§3.4.2): an item that was in few chosen sets is more likely to
// be in this one. The model is ignored, so that its errors are found. It sets chanced.
func (s *search) byChance() []int {
	r := rand.New(&s.random)
	again := s.chanced
	s.chanced = false
	if r.Float64() >= s.config.Chances || again {
		return nil
	}
	most, least := slices.Max(s.chosen), slices.Min(s.chosen)
	var kept []int
	for i, times := range s.chosen {
		if r.Float64()*float64(most+least) >= float64(times) { // with probability 1-times/(most+least)
			kept = append(kept, i)
		}
	}
	s.chanced = !s.known(kept)
	return kept
}

// startAfresh looks for a resolved set among the items that need others least (§3.4.3), with a threshold that rises
// over the rounds to the maximum of all items.
func (s search) startAfresh(round, rounds int) *step {
	all := s.without(nil)
	needs := make([]float64, len(all))
	for i := range needs {
		needs[i] = s.matrix.needs(i, all)
	}
	for most := slices.Max(needs); round < rounds; round++ {
		s.afresh++
		threshold := most * float64(round+1) / float64(rounds)
		var kept []int
		for i, need := range needs {
			if need < threshold {
				kept = append(kept, i)
			}
		}
		if !s.known(kept) {
			return s.ask(kept,
				func(s search) *step { return s.next() },
				func(s search) *step { return s.startAfresh(round+1, rounds) })
		}
	}
	return s.next()
}
