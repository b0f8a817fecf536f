package algo

import (
	"slices"
	"testing"
)

// What depends on a later item goes once that is gone: cdd looks at it too
// early, and Each finds it.
func TestThenEach(t *testing.T) {
	property := func(kept []int) Outcome { // item 0 is there as long as item 1 is
		if slices.Contains(kept, 1) && !slices.Contains(kept, 0) {
			return Uninteresting
		}
		return needs([]int{2})(kept)
	}
	weights := []int{1, 1, 1}
	single := func(weights []int) *Step[[]int] { return each(all(len(weights)), all(len(weights))) }
	if got := run(t, 3, single(weights), property).result; !slices.Equal(got, []int{0, 2}) {
		t.Fatalf("alone it leaves %v", got)
	}
	tr := run(t, 3, ThenEach(single)(weights), property)
	if !slices.Equal(tr.result, []int{2}) {
		t.Errorf("with Each after it it leaves %v", tr.result)
	}
	var asked [][]int
	for _, p := range tr.probes {
		asked = append(asked, p.kept)
	}
	want := [][]int{{1, 2}, {0, 2}, {0}, {2}, {}}
	if !slices.EqualFunc(asked, want, slices.Equal) {
		t.Errorf("it asks %v, want %v", asked, want)
	}
}

// A shuffled search finds the same set where there is only one, by candidates
// that are as an Algorithm promises, and in an order that depends on the seed.
func TestShuffled(t *testing.T) {
	r := newRand(1)
	first := map[string]bool{}
	for seed := range uint64(20) {
		needed := someOf(r, 40, 0.2)
		probdd, err := New("probdd", Params{P0: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		weights := make([]int, 40)
		tr := run(t, 40, Shuffled(probdd, seed)(weights), needs(needed))
		if !slices.Equal(tr.result, needed) {
			t.Errorf("seed %d: left %v, needed %v", seed, tr.result, needed)
		}
		again := run(t, 40, Shuffled(probdd, seed)(weights), needs(needed))
		if len(again.probes) != len(tr.probes) {
			t.Errorf("seed %d: %d questions, then %d", seed, len(tr.probes), len(again.probes))
		}
		first[fingerprint(tr.probes[0].kept, 40)] = true
	}
	if len(first) < 15 {
		t.Errorf("20 seeds begin in %d ways", len(first))
	}
}
