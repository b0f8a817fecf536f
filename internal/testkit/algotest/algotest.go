// Package algotest tests the guarantees of list algorithms.
package algotest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
)

type step = algo.Step[[]int]

// A Probe is a candidate of a search.
type Probe struct {
	Kept    []int
	Outcome algo.Outcome
	Again   bool // asked before, and not counted as a test
}

// A Trace is the course of a search.
type Trace struct {
	Probes []Probe
	Tests  int   // distinct candidates
	Result []int // the last interesting candidate, or all items
}

func (tr Trace) equal(other Trace) bool {
	return slices.EqualFunc(tr.Probes, other.Probes, func(a, b Probe) bool { return slices.Equal(a.Kept, b.Kept) })
}

// Run runs a search over n items to its end with a cache. It checks that candidates are valid.
func Run(t testing.TB, n int, s *step, property func(kept []int) algo.Outcome) Trace {
	t.Helper()
	tr := Trace{Result: algo.All(n)}
	known := make(map[string]algo.Outcome)
	for ; s != nil; s = s.Next(tr.Probes[len(tr.Probes)-1].Outcome) {
		c := slices.Clone(s.Candidate)
		if !properPart(c, tr.Result) {
			t.Fatalf("candidate %v is not a proper part, in order, of %v", c, tr.Result)
		}
		if !(s.Chance >= 0 && s.Chance <= 1) {
			t.Fatalf("candidate %v is said to be interesting with probability %v", c, s.Chance)
		}
		key := Fingerprint(c, n)
		outcome, again := known[key]
		if !again {
			outcome = property(c)
			known[key] = outcome
			tr.Tests++
		}
		tr.Probes = append(tr.Probes, Probe{c, outcome, again})
		if outcome == algo.Interesting {
			tr.Result = c
		}
	}
	return tr
}

func properPart(part, list []int) bool {
	i := 0
	for _, item := range list {
		if i < len(part) && part[i] == item {
			i++
		}
	}
	return i == len(part) && i < len(list)
}

// Fingerprint identifies lists of up to n items.
func Fingerprint(kept []int, n int) string {
	b := make([]byte, (n+7)/8)
	for _, item := range kept {
		b[item/8] |= 1 << (item % 8)
	}
	return string(b)
}

// Needs returns the monotone property of lists that contain one of the sets.
func Needs(sets ...[]int) func([]int) algo.Outcome {
	return func(kept []int) algo.Outcome {
		if slices.ContainsFunc(sets, func(set []int) bool { return Contains(kept, set) }) {
			return algo.Interesting
		}
		return algo.Uninteresting
	}
}

// Contains reports whether the list has all items of the set. Both are ascending.
func Contains(list, set []int) bool {
	for _, item := range list {
		if len(set) > 0 && set[0] == item {
			set = set[1:]
		}
	}
	return len(set) == 0
}

func Rand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 20240917))
}

// SomeOf picks each of n items with probability p.
func SomeOf(r *rand.Rand, n int, p float64) []int {
	var set []int
	for i := range n {
		if r.Float64() < p {
			set = append(set, i)
		}
	}
	return set
}

// WeightsOf returns n weights with a random kind of distribution.
func WeightsOf(r *rand.Rand, n int) []int {
	weights := make([]int, n)
	for i, kind := 0, r.IntN(4); i < n; i++ {
		switch kind {
		case 0:
			weights[i] = 7
		case 1:
			weights[i] = 0
		case 2:
			weights[i] = r.IntN(4)
		case 3:
			weights[i] = 1 << r.IntN(20)
		}
	}
	return weights
}

// Names joins the names of some items.
func Names(items []string, list []int) string {
	var b strings.Builder
	for _, i := range list {
		b.WriteString(items[i])
	}
	return b.String()
}

// Indexes returns the indexes of the named items.
func Indexes(items, names []string) []int {
	var list []int
	for _, name := range names {
		list = append(list, slices.Index(items, name))
	}
	return list
}

// Follow runs a search without forks. It returns the last interesting candidate and the number of
// questions.
func Follow[C any](s *algo.Step[C], interesting func(C) bool) (last C, asked int) {
	for ; !s.Ended(); asked++ {
		o := algo.Uninteresting
		if interesting(s.Candidate) {
			o, last = algo.Interesting, s.Candidate
		}
		s = s.Next(o)
	}
	return last, asked
}
