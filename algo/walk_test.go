package algo

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A Step is a value: what a search asks for depends on the outcomes it was
// given on the way, and on nothing else that was tried from the same steps.
//
//	plain walk:     o --- o --- o --- o        must ask the same as
//	walk with       o --- o --- o --- o
//	side trips:      \     \     \
//	                  o-o   o-o   o-o          before each step
func TestNextIsPure(t *testing.T) {
	eachRandom(t, 60, func(t *testing.T, name string, p0 float64, weights []int, seed uint64) {
		r := newRand(seed + 5e6)
		odds := r.Float64() / 2

		var outcomes []Outcome
		var plain [][]int // what was asked, as it was then
		for s := search(t, name, p0, weights); s != nil && len(plain) < 300; {
			plain = append(plain, slices.Clone(s.Candidate))
			o := randomOutcome(r, odds)
			outcomes = append(outcomes, o)
			s = s.Next(o)
		}

		var steps []*step
		s := search(t, name, p0, weights)
		for i, o := range outcomes {
			if s == nil || !slices.Equal(s.Candidate, plain[i]) {
				t.Fatalf("step %d changed after side trips", i)
			}
			steps = append(steps, s)
			sideTrip(r, s, 5)
			s = s.Next(o)
		}
		// And back: later steps left the earlier ones alone.
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

// sideTrip follows every outcome of a step, and then some, to some depth. Who
// holds a candidate may append to it.
func sideTrip(r *rand.Rand, s *step, depth int) {
	if s == nil || depth == 0 {
		return
	}
	_ = append(s.Candidate, -1)
	for _, o := range []Outcome{Interesting, Uninteresting, Unresolved, Interesting} {
		next := s.Next(o)
		if r.IntN(3) == 0 {
			sideTrip(r, next, depth-1)
		}
	}
}

func randomOutcome(r *rand.Rand, odds float64) Outcome {
	if r.Float64() < odds {
		return Interesting
	}
	return []Outcome{Uninteresting, Unresolved}[r.IntN(2)]
}

// The algorithm does not look at its caller's weights again.
func TestWeightsAreCopied(t *testing.T) {
	weights := slices.Clone(wddWeights)
	for _, name := range Names() {
		want := run(t, 8, search(t, name, 0.2, wddWeights), needs(wddNeeds))
		s := search(t, name, 0.2, weights)
		for i := range weights {
			weights[i] = 1
		}
		if got := run(t, 8, s, needs(wddNeeds)); len(got.probes) != len(want.probes) {
			t.Errorf("%s: %d candidates, want %d", name, len(got.probes), len(want.probes))
		}
		copy(weights, wddWeights)
	}
}
