package algotest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whittle/algo"
)

// A Step is a value: its questions depend on the outcomes before it, and on no other calls of
// the same steps.
//
//	plain walk:     o --- o --- o --- o        must ask the same as
//	walk with       o --- o --- o --- o
//	side trips:      \     \     \
//	                  o-o   o-o   o-o          before each step
func (s Subject) pure(t *testing.T) {
	s.eachRandom(t, 60, func(p0 float64, weights []int, seed uint64) {
		r := Rand(seed + 5e6)
		odds := r.Float64() / 2

		var outcomes []algo.Outcome
		var plain [][]int
		for at := s.search(p0, weights); at != nil && len(plain) < 300; {
			plain = append(plain, slices.Clone(at.Candidate))
			o := randomOutcome(r, odds)
			outcomes = append(outcomes, o)
			at = at.Next(o)
		}

		var steps []*step
		at := s.search(p0, weights)
		for i, o := range outcomes {
			if at == nil || !slices.Equal(at.Candidate, plain[i]) {
				t.Fatalf("step %d changed after side trips", i)
			}
			steps = append(steps, at)
			sideTrip(r, at, 5)
			at = at.Next(o)
		}
		// Backwards: later steps did not change earlier ones.
		for i := range slices.Backward(steps) {
			if !slices.Equal(steps[i].Candidate, plain[i]) {
				t.Fatalf("candidate %d was overwritten", i)
			}
			next := steps[i].Next(outcomes[i])
			if i+1 < len(plain) && !slices.Equal(next.Candidate, plain[i+1]) {
				t.Fatalf("step %d goes on otherwise than before", i)
			}
		}
	})
}

// sideTrip follows each outcome of a step, several times, to some depth, and appends to the
// candidates.
func sideTrip(r *rand.Rand, s *step, depth int) {
	if s == nil || depth == 0 {
		return
	}
	_ = append(s.Candidate, -1)
	for _, o := range []algo.Outcome{algo.Interesting, algo.Uninteresting, algo.Unresolved, algo.Interesting} {
		next := s.Next(o)
		if r.IntN(3) == 0 {
			sideTrip(r, next, depth-1)
		}
	}
}

func randomOutcome(r *rand.Rand, odds float64) algo.Outcome {
	if r.Float64() < odds {
		return algo.Interesting
	}
	return []algo.Outcome{algo.Uninteresting, algo.Unresolved}[r.IntN(2)]
}

func (s Subject) weightsAreCopied(t *testing.T) {
	weights, needed := []int{5, 8, 7, 7, 8, 16, 25, 6}, Needs([]int{0, 2, 5, 6, 7})
	want := Run(t, 8, s.search(0.2, weights), needed)
	search := s.search(0.2, weights)
	for i := range weights {
		weights[i] = 1
	}
	if got := Run(t, 8, search, needed); !got.equal(want) {
		t.Errorf("%d candidates, want %d", len(got.Probes), len(want.Probes))
	}
}
