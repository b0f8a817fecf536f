package grain

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

func TestCoupledAlgorithm(t *testing.T) {
	e := Entry()
	e.Name, e.With = "coupled", func(algo.Params) algo.Algorithm { return Coupled(nil) }
	algotest.Test(t, algotest.Subject{Entry: e, Bound: func(_ float64, items int) float64 {
		n := float64(items)
		return 2 * n * (2 + math.Log2(n)) // as for grain, repeated after unresolved questions
	}})
}

func TestCoupledGolden(t *testing.T) {
	algotest.GoldenOf(t, "../../testdata/algo", []string{"coupled"},
		func(_ string, reported [][]int, _ algo.Params) (algo.Algorithm, error) { return Coupled(reported), nil })
}

func TestCouple(t *testing.T) {
	for _, tt := range []struct {
		needs  [][]int
		list   []int
		groups string
	}{
		{nil, []int{0, 1, 2}, "[[0] [1] [2]]"},
		{[][]int{2: {0}}, []int{0, 1, 2}, "[[1] [2] [0]]"},
		{[][]int{{1}, {2}, {0}, {1}}, []int{0, 1, 2, 3}, "[[3] [0 1 2]]"},
		{[][]int{{1}, {2}, {0}, {1}}, []int{0, 1, 3}, "[[0] [3] [1]]"},
		{[][]int{{9, 0}}, []int{0, 1}, "[[0] [1]]"},
	} {
		c := couple(tt.needs, tt.list)
		for _, g := range c.groups {
			slices.Sort(g)
		}
		if got := fmt.Sprint(c.groups); got != tt.groups {
			t.Errorf("%v of %v: groups %s, want %s", tt.needs, tt.list, got, tt.groups)
		}
	}
}

// With complete needs, all questions are resolved and a fraction of the tests suffices.
func TestCoupledChanges(t *testing.T) {
	const n = 100
	tests, plain := 0, 0
	left, once, critical := 0, 0, 0
	for seed := range uint64(30) {
		changes := algotest.RandomChanges(algotest.Rand(seed), n, 0.4, 1, 0)
		tr := algotest.Run(t, n, Coupled(changes.Needs)(make([]int, n)), changes.Property)
		for _, p := range tr.Probes {
			if p.Outcome == algo.Unresolved {
				t.Fatalf("seed %d: asks for %v", seed, p.Kept)
			}
		}
		if !slices.Equal(tr.Result, changes.Critical) {
			t.Errorf("seed %d: result %v, want %v", seed, tr.Result, changes.Critical)
		}
		tests += tr.Tests
		alone := algotest.Run(t, n, Entry().With(algo.Params{})(make([]int, n)), changes.Property)
		plain += alone.Tests

		left += len(algotest.Run(t, n, Coupled(nil)(make([]int, n)), changes.Property).Result)
		once += len(alone.Result)
		critical += len(changes.Critical)
	}
	if tests > plain/5 || left > once/2 {
		t.Errorf("%d tests, without needs %d; %d left of %d critical without needs, %d in one pass",
			tests, plain, left, critical, once)
	}
}
