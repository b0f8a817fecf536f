package algo

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A probe is one candidate that a search asked for.
type probe struct {
	kept    []int
	outcome Outcome
	again   bool // asked before, and not counted as a test
}

// A trace is all a search did.
type trace struct {
	probes []probe
	tests  int   // distinct candidates
	result []int // the last interesting one, or all items
}

// run follows a search over n items to its end, remembering outcomes as the
// real runner does. It checks that candidates are what an Algorithm promises.
func run(t testing.TB, n int, s *step, property func(kept []int) Outcome) trace {
	t.Helper()
	tr := trace{result: all(n)}
	known := make(map[string]Outcome)
	for ; s != nil; s = s.Next(tr.probes[len(tr.probes)-1].outcome) {
		c := slices.Clone(s.Candidate)
		if !properPart(c, tr.result) {
			t.Fatalf("candidate %v is not a proper part, in order, of %v", c, tr.result)
		}
		key := fingerprint(c, n)
		outcome, again := known[key]
		if !again {
			outcome = property(c)
			known[key] = outcome
			tr.tests++
		}
		tr.probes = append(tr.probes, probe{c, outcome, again})
		if outcome == Interesting {
			tr.result = c
		}
	}
	return tr
}

// properPart says whether the part is an ascending selection from the list,
// and not all of it.
func properPart(part, list []int) bool {
	i := 0
	for _, item := range list {
		if i < len(part) && part[i] == item {
			i++
		}
	}
	return i == len(part) && i < len(list)
}

func fingerprint(kept []int, n int) string {
	b := make([]byte, (n+7)/8)
	for _, item := range kept {
		b[item/8] |= 1 << (item % 8)
	}
	return string(b)
}

// needs is the monotone property that holds for lists which contain one of the
// sets.
func needs(sets ...[]int) func([]int) Outcome {
	return func(kept []int) Outcome {
		if slices.ContainsFunc(sets, func(set []int) bool { return contains(kept, set) }) {
			return Interesting
		}
		return Uninteresting
	}
}

// contains says whether the list has all items of the set. Both are ascending.
func contains(list, set []int) bool {
	for _, item := range list {
		if len(set) > 0 && set[0] == item {
			set = set[1:]
		}
	}
	return len(set) == 0
}

func newRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 20240917))
}

// someOf picks each of n items with probability p.
func someOf(r *rand.Rand, n int, p float64) []int {
	var set []int
	for i := range n {
		if r.Float64() < p {
			set = append(set, i)
		}
	}
	return set
}

// weightsOf gives n items weights of one of the kinds that matter.
func weightsOf(r *rand.Rand, n int) []int {
	weights := make([]int, n)
	for i, kind := 0, r.IntN(4); i < n; i++ {
		switch kind {
		case 0: // all equal
			weights[i] = 7
		case 1: // nothing
			weights[i] = 0
		case 2: // some nothing, some little
			weights[i] = r.IntN(4)
		case 3: // few heavy ones
			weights[i] = 1 << r.IntN(20)
		}
	}
	return weights
}

// search starts the named algorithm.
func search(t testing.TB, name string, p0 float64, weights []int) *step {
	t.Helper()
	a, err := New(name, Params{P0: p0, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return a(weights)
}
