package compared

import (
	"math"
	"slices"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

var bounds = map[string]func(p0, n float64) float64{
	"chisel": func(_, n float64) float64 { return n*n + 14*n },
	"activecoarsen": func(p0, n float64) float64 {
		s := max(1, math.Round(p0*n))
		if n <= s {
			return n
		}
		return math.E*n + 10*math.E*math.Log((n-1)/(s-0.5)) + 1
	},
}

func TestAlgorithms(t *testing.T) {
	for _, e := range Table() {
		algotest.Test(t, algotest.Subject{Entry: e, Bound: func(p0 float64, items int) float64 {
			return bounds[e.Name](p0, float64(items))
		}})
	}
}

func TestGolden(t *testing.T) { algotest.Golden(t, "../../testdata/algo", Table()) }

// The order of candidates depends on the seed, the result does not.
func TestShuffled(t *testing.T) {
	r := algotest.Rand(1)
	first := map[string]bool{}
	for seed := range uint64(20) {
		needed := algotest.SomeOf(r, 40, 0.2)
		weights := make([]int, 40)
		tr := algotest.Run(t, 40, Shuffled(algo.ProbDD(0.1), seed)(weights), algotest.Needs(needed))
		if !slices.Equal(tr.Result, needed) {
			t.Errorf("seed %d: left %v, needed %v", seed, tr.Result, needed)
		}
		again := algotest.Run(t, 40, Shuffled(algo.ProbDD(0.1), seed)(weights), algotest.Needs(needed))
		if len(again.Probes) != len(tr.Probes) {
			t.Errorf("seed %d: %d questions, then %d", seed, len(tr.Probes), len(again.Probes))
		}
		first[algotest.Fingerprint(tr.Probes[0].Kept, 40)] = true
	}
	if len(first) < 15 {
		t.Errorf("20 seeds begin in %d ways", len(first))
	}
}
