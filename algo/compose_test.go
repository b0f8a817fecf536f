package algo_test

import (
	"slices"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

// An item that depends on a later one can go after that: cdd tries it too early, and Each finds it.
func TestThenEach(t *testing.T) {
	property := func(kept []int) algo.Outcome { // item 1 needs item 0
		if slices.Contains(kept, 1) && !slices.Contains(kept, 0) {
			return algo.Uninteresting
		}
		return algotest.Needs([]int{2})(kept)
	}
	weights := []int{1, 1, 1}
	single := func(weights []int) *algo.Step[[]int] { return algo.Each(len(weights)) }
	if got := algotest.Run(t, 3, single(weights), property).Result; !slices.Equal(got, []int{0, 2}) {
		t.Fatalf("alone it leaves %v", got)
	}
	tr := algotest.Run(t, 3, algo.ThenEach(single)(weights), property)
	if !slices.Equal(tr.Result, []int{2}) {
		t.Errorf("with Each after it it leaves %v", tr.Result)
	}
	var asked [][]int
	for _, p := range tr.Probes {
		asked = append(asked, p.Kept)
	}
	want := [][]int{{1, 2}, {0, 2}, {0}, {2}, {}}
	if !slices.EqualFunc(asked, want, slices.Equal) {
		t.Errorf("it asks %v, want %v", asked, want)
	}
}
