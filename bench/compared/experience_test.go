package compared

import (
	"slices"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

// A tree learns a property of a few items from random tests and predicts it for new lists.
func TestLearn(t *testing.T) {
	property := func(kept []int) algo.Outcome {
		if algotest.Contains(kept, []int{2}) && (algotest.Contains(kept, []int{7}) || !algotest.Contains(kept, []int{4})) {
			return algo.Interesting
		}
		return algo.Unresolved
	}
	r := algotest.Rand(1)
	e := newExperience(12)
	for range 100 {
		kept := algotest.SomeOf(r, 12, 0.5)
		e = e.after(kept, property(kept))
	}
	tree := e.learn()
	right := 0
	for range 1000 {
		kept := algotest.SomeOf(r, 12, 0.5)
		p := tree.predict(func(item int) bool { return !slices.Contains(kept, item) })
		if (p > 0.5) == (property(kept) == algo.Interesting) {
			right++
		}
	}
	if right < 950 {
		t.Errorf("%d of 1000 predictions are right", right)
	}
}

// Laplace's rule with and without tests. Only the last 64 tests count.
func TestLearnCounts(t *testing.T) {
	e := newExperience(3)
	for i, want := range []float64{1. / 2, 2. / 3, 3. / 4} {
		if got := e.learn().p; got != want {
			t.Errorf("after %d interesting tests: %v, want %v", i, got, want)
		}
		e = e.after([]int{1}, algo.Interesting)
	}
	for range 64 {
		e = e.after([]int{1}, algo.Uninteresting)
	}
	if got := e.learn().p; got != 1./66 {
		t.Errorf("after 64 tests that were not: %v, want %v", got, 1./66)
	}
}

// Evenly spaced items represent a long list.
func TestLearnLong(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, lookedAt: lookedAt, lookedAt + 1: lookedAt/2 + 1, 1_000_000: 4082} {
		if got := len(newExperience(n).items); got != want {
			t.Errorf("of %d items %d are looked at, want %d", n, got, want)
		}
	}
}

// The trials of a round remove the right items.
func TestTrial(t *testing.T) {
	list := []int{1, 3, 4, 6}
	for _, alone := range []bool{true, false} {
		tr := trial{list: list, chunk: list[1:3], alone: alone}
		for item := range 8 {
			if got, want := tr.removes(item), !slices.Contains(tr.kept(), item); got != want {
				t.Errorf("alone %v: removes %d: %v, want %v", alone, item, got, want)
			}
		}
	}
}
