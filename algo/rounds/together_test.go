package rounds

import (
	"slices"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

// If all edits combine, one test suffices.
func TestUnite(t *testing.T) {
	for seed := range uint64(300) {
		r := algotest.Rand(seed)
		n := 1 + r.IntN(20)
		var conflicts [][2]int
		for range r.IntN(3) {
			if a, b := r.IntN(20), r.IntN(20); a != b {
				conflicts = append(conflicts, [2]int{a, b})
			}
		}
		fits := func(chosen []int) bool {
			return !slices.ContainsFunc(conflicts, func(c [2]int) bool {
				return slices.Contains(chosen, c[0]) && slices.Contains(chosen, c[1])
			})
		}
		allowed := r.IntN(2) == 0 // otherwise unsuitable candidates are not even asked
		var got []int
		asked := 0
		s := unite(algo.All(n), func(chosen []int) ([]int, bool) { return chosen, allowed || fits(chosen) },
			func(chosen []int) *step { return &step{End: chosen} })
		for ; !s.Ended(); asked++ {
			if fits(s.Candidate) {
				s = s.Next(algo.Interesting)
			} else {
				s = s.Next(algo.Uninteresting)
			}
		}
		got = s.End.([]int)
		if !fits(got) || len(got) == 0 {
			t.Fatalf("seed %d: %v of %d with conflicts %v", seed, got, n, conflicts)
		}
		for i := range n {
			if with := append(slices.Clone(got), i); !slices.Contains(got, i) && fits(with) {
				t.Fatalf("seed %d: %v of %d, and %d would fit; conflicts %v", seed, got, n, i, conflicts)
			}
		}
		if fits(algo.All(n)) && asked > 1 || asked > 1+len(conflicts)*12 {
			t.Fatalf("seed %d: %d asked for %d with conflicts %v", seed, asked, n, conflicts)
		}
	}
}
