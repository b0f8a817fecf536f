package algotest

import (
	"math"
	"slices"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/cases"
)

// A Subject is an algorithm to test.
type Subject struct {
	algo.Entry
	// Bound is the maximum number of tests.
	Bound func(p0 float64, items int) float64
}

// Test checks the general guarantees of algorithms and the properties in the entry.
func Test(t *testing.T, s Subject) {
	for name, test := range map[string]func(*testing.T){
		"MonotoneUnambiguous": s.monotoneUnambiguous,
		"MonotoneAmbiguous":   s.monotoneAmbiguous,
		"NonMonotone":         s.nonMonotone,
		"Flaky":               s.flaky,
		"Extremes":            s.extremes,
		"LongList":            s.longList,
		"Pure":                s.pure,
		"WeightsAreCopied":    s.weightsAreCopied,
		"Facts":               s.facts,
	} {
		t.Run(s.Name+"/"+name, test)
	}
}

func (s Subject) search(p0 float64, weights []int) *step {
	return s.With(algo.Params{P0: p0, Seed: 1})(weights)
}

var p0s = []float64{0.1, 0.25, 0.5, 0.003, 0.8}

// eachRandom runs f on lists of random length and weights, with -short on a sixth of them.
func (s Subject) eachRandom(t *testing.T, lists int, f func(p0 float64, weights []int, seed uint64)) {
	t.Helper()
	for i := range cases.Of(t, lists, 6) {
		seed := uint64(i)
		r := Rand(seed)
		weights := WeightsOf(r, 1+r.IntN(60))
		f(p0s[r.IntN(len(p0s))], weights, seed)
		if t.Failed() {
			t.Fatalf("seed %d, weights %v", seed, weights)
		}
	}
}

// One required set: all algorithms find it.
func (s Subject) monotoneUnambiguous(t *testing.T) {
	s.eachRandom(t, 300, func(p0 float64, weights []int, seed uint64) {
		r := Rand(seed + 1e6)
		n := len(weights)
		needed := SomeOf(r, n, r.Float64())
		tr := Run(t, n, s.search(p0, weights), Needs(needed))
		if len(needed) == 0 && !s.Empty {
			if len(tr.Result) != 1 {
				t.Errorf("nothing needed, result %v", tr.Result)
			}
		} else if !slices.Equal(tr.Result, needed) {
			t.Errorf("result %v, want %v", tr.Result, needed)
		}
		s.CheckBound(t, p0, n, tr)
	})
}

// Several sufficient sets: all algorithms find a minimal one.
func (s Subject) monotoneAmbiguous(t *testing.T) {
	s.eachRandom(t, 200, func(p0 float64, weights []int, seed uint64) {
		r := Rand(seed + 2e6)
		n := len(weights)
		var sets [][]int
		for range 2 + r.IntN(4) {
			sets = append(sets, append(SomeOf(r, n-1, r.Float64()/2), n-1))
		}
		property := Needs(sets...)
		tr := Run(t, n, s.search(p0, weights), property)
		CheckOneMinimal(t, tr.Result, property)
		s.CheckBound(t, p0, n, tr)
	})
}

// Arbitrary outcomes: the result is interesting, and 1-minimal if guaranteed.
func (s Subject) nonMonotone(t *testing.T) {
	s.eachRandom(t, 300, func(p0 float64, weights []int, seed uint64) {
		n := len(weights)
		property := Noise(seed, n)
		tr := Run(t, n, s.search(p0, weights), property)
		if len(tr.Result) < n && property(tr.Result) != algo.Interesting {
			t.Errorf("result %v is not interesting", tr.Result)
		}
		if !s.Empty {
			CheckOneMinimal(t, tr.Result, property)
		}
		s.CheckBound(t, p0, n, tr)
	})
}

// Noise returns a property that depends on all items: some lists are interesting and some
// unresolved.
func Noise(seed uint64, n int) func(kept []int) algo.Outcome {
	r := Rand(seed + 3e6)
	interesting, unresolved := r.Float64(), r.Float64()/2
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = r.Uint64()
	}
	return func(kept []int) algo.Outcome {
		sum := seed
		for _, item := range kept {
			sum += keys[item]
		}
		switch x := Rand(sum); {
		case x.Float64() < interesting/4:
			return algo.Interesting
		case x.Float64() < unresolved:
			return algo.Unresolved
		}
		return algo.Uninteresting
	}
}

// Contradictory outcomes: every search still ends.
func (s Subject) flaky(t *testing.T) {
	s.eachRandom(t, 100, func(p0 float64, weights []int, seed uint64) {
		r := Rand(seed + 4e6)
		n, interesting := len(weights), r.Float64()/3
		limit := 2 * (n*n + 3*n + 10)
		asked := 0
		for at := s.search(p0, weights); at != nil; asked++ {
			if asked > limit {
				t.Fatalf("no end after %d candidates for %d items", asked, n)
			}
			if o := algo.Outcome(r.IntN(3)); o == algo.Interesting && r.Float64() > interesting {
				at = at.Next(algo.Uninteresting)
			} else {
				at = at.Next(o)
			}
		}
	})
}

// CheckOneMinimal checks that no single item can be removed from the list, except the last.
func CheckOneMinimal(t *testing.T, list []int, property func([]int) algo.Outcome) {
	t.Helper()
	if len(list) == 1 {
		return // the empty list is not asked
	}
	for i := range list {
		if property(algo.Without(list, list[i:i+1])) == algo.Interesting {
			t.Errorf("result %v is interesting without %d", list, list[i])
		}
	}
}

// CheckBound checks the number of tests of a search over n items.
func (s Subject) CheckBound(t *testing.T, p0 float64, n int, tr Trace) {
	t.Helper()
	if b := s.Bound(p0, n); float64(tr.Tests) > b {
		t.Errorf("%d tests for %d items, p0 = %v; at most %v", tr.Tests, n, p0, b)
	}
}

// Worst and best cases, extreme weights and extreme p0. Here repeated questions count, too, so
// that each search ends soon.
func (s Subject) extremes(t *testing.T) {
	p0s := []float64{5e-324, 1e-300, 1e-17, 1e-9, 0.1, 0.5, 0.999999, math.Nextafter(1, 0)}
	for i := range cases.Of(t, len(p0s), 4) {
		p0 := p0s[i]
		for _, n := range []int{0, 1, 2, 3, 40} {
			for what, weight := range map[string]func(i int) int{
				"zero":   func(i int) int { return 0 },
				"one":    func(i int) int { return 1 },
				"first":  func(i int) int { return max(0, 1-i) },
				"rising": func(i int) int { return 1 << (i % 50) },
				"huge":   func(i int) int { return 1 << 50 },
			} {
				weights := make([]int, n)
				for i := range weights {
					weights[i] = weight(i)
				}
				for _, o := range []algo.Outcome{algo.Uninteresting, algo.Interesting, algo.Unresolved} {
					tr := Run(t, n, s.search(p0, weights), func([]int) algo.Outcome { return o })
					least := 0
					if !s.Empty {
						least = min(1, n)
					}
					if o != algo.Interesting {
						least = n
					}
					if len(tr.Result) != least || len(tr.Probes) > 5000 {
						t.Errorf("p0 = %v, %d weights %s, all %v: %d left after %d candidates",
							p0, n, what, o, len(tr.Result), len(tr.Probes))
					}
				}
			}
		}
	}
}

func (s Subject) longList(t *testing.T) {
	const n = 100_000
	r := Rand(1)
	weights := make([]int, n)
	for i := range weights {
		weights[i] = r.IntN(100)
	}
	property := Needs(SomeOf(r, n, 0.01))
	start := time.Now()
	steps := 0
	for at := s.search(0.1, weights); at != nil && steps < 60; steps++ {
		at = at.Next(property(at.Candidate))
	}
	if each := time.Since(start) / 60; each > 200*time.Millisecond {
		t.Errorf("%v for each step", each)
	}
}

func (s Subject) facts(t *testing.T) {
	const n = 40
	weights := slices.Repeat([]int{1}, n)
	empty, byP0, bySeed := false, false, false
	for at := s.search(0.1, weights); at != nil; at = at.Next(algo.Interesting) {
		empty = empty || len(at.Candidate) == 0
	}
	property := Needs([]int{3, 17, 30})
	usual := Run(t, n, s.search(0.1, weights), property)
	for _, p0 := range p0s {
		byP0 = byP0 || !usual.equal(Run(t, n, s.search(p0, weights), property))
	}
	for seed := range uint64(10) {
		drawn := s.With(algo.Params{P0: 0.1, Seed: seed})(weights)
		bySeed = bySeed || !usual.equal(Run(t, n, drawn, property))
	}
	if empty != s.Empty || byP0 != s.P0 || bySeed != s.Random {
		t.Errorf("asks for the empty list: %v, depends on p0: %v, on the seed: %v; the entry says %v, %v, %v",
			empty, byP0, bySeed, s.Empty, s.P0, s.Random)
	}
}
