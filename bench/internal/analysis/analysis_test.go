package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/oracle"
)

// follow runs an algorithm as a driver with EmptyFirst does, and records its decisions.
func follow(list algo.Algorithm, each bool, weights []int, property func(kept []int) bool) Run {
	a := New(nil)
	if each {
		a = New(list)
		list = algo.ThenEach(list)
	}
	about := &algo.List{Weights: weights}
	left := make([]int, len(weights))
	for i := range left {
		left[i] = i
	}
	known := map[string]bool{}
	for step := algo.EmptyFirst(list(weights)); !step.Ended(); {
		key := fmt.Sprint(step.Candidate)
		outcome := algo.Uninteresting
		if property(step.Candidate) {
			outcome = algo.Interesting
		}
		a.Add(whittle.Decision{About: &algo.Question{List: about, Left: left, Kept: step.Candidate},
			Answer: oracle.Answer{Outcome: outcome, Cached: known[key]}})
		known[key] = true
		if outcome == algo.Interesting {
			left = step.Candidate
		}
		step = step.Next(outcome)
	}
	return a.Finish()
}

func needs(items ...int) func([]int) bool {
	return func(kept []int) bool {
		return !slices.ContainsFunc(items, func(i int) bool { return !slices.Contains(kept, i) })
	}
}

// The example of the WDD paper, Fig. 2(a): ddmin takes 30 tests. Counted by hand in the figure,
// 12 keep less than half (four pairs and eight single items). 4 repeat the removal of item 1 or
// 3, after items 4 and 5 were removed.
func TestQueries(t *testing.T) {
	weights := []int{5, 8, 7, 7, 8, 16, 25, 6}
	got := follow(algo.DDMin, false, weights, needs(0, 2, 5, 6, 7))
	want := Queries{Complement: Tally{12, 0}, Revisit: Tally{4, 0}, Other: Tally{14, 3}, Empty: Tally{1, 0}}
	if got.Queries != want {
		t.Errorf("%+v, want %+v", got.Queries, want)
	}
	if got.Asked != (Asked{Lists: 31}) {
		t.Errorf("%+v", got.Asked)
	}
}

// In the same example, one of the two items of weight 7 is removed and both of weight 8. With
// weights 5 6 7 8 16 25 and shares 0 0 ½ 1 0 0 the ranks are 1 to 6 and 2.5 2.5 5 6 2.5 2.5, so
// that ρ = Σ(x-3.5)(y-3.5) / √(17.5 · 12.5) = 0.5/14.79.
func TestDeletion(t *testing.T) {
	rho, ok := weightAndDeletion([]int{5, 8, 7, 7, 8, 16, 25, 6}, []int{0, 2, 5, 6, 7})
	if want := 0.5 / math.Sqrt(17.5*12.5); !ok || math.Abs(rho-want) > 1e-12 {
		t.Errorf("ρ = %v, want %v", rho, want)
	}
	if _, ok := weightAndDeletion([]int{3, 3, 3}, []int{1}); ok {
		t.Error("ρ is defined for a single weight")
	}
	if _, ok := weightAndDeletion([]int{1, 2, 3}, []int{}); ok {
		t.Error("ρ is defined for an empty result")
	}
}

// In its last round, cdd tests each item once. Item 0 is needed while item 1 is present, so Each
// can remove it afterwards. Item 3 is always needed.
func TestMinimal(t *testing.T) {
	property := func(kept []int) bool {
		return needs(3)(kept) && (!slices.Contains(kept, 1) || slices.Contains(kept, 0))
	}
	weights := []int{1, 1, 1, 1}
	for _, c := range []struct {
		name      string
		algorithm algo.Algorithm
		each      bool
		want      Minimal
	}{
		{"cdd+each", algo.CDD(0.9), true, Minimal{Calls: 1, Violations: 1, Items: 1}},
		{"ddmin+each", algo.DDMin, true, Minimal{Calls: 1}},
		{"cdd", algo.CDD(0.9), false, Minimal{}},
	} {
		if got := follow(c.algorithm, c.each, weights, property).Minimal; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Questions outside list algorithms are counted separately: choices, decisions without a list,
// and slices.
func TestAsked(t *testing.T) {
	a := New(algo.ProbDD(0.1))
	list := &algo.Question{List: &algo.List{Weights: []int{1, 1}}, Left: []int{0, 1}, Kept: []int{1}}
	choice := &algo.Question{List: &algo.List{Mode: algo.Choices, Weights: []int{1}}, Kept: []int{0}}
	single := &algo.Question{List: &algo.List{Mode: algo.Single, Weights: []int{1, 1}}, Left: []int{0, 1}, Kept: []int{1}}
	for _, d := range []whittle.Decision{
		{Pass: "perses", About: list}, {Pass: "slices", About: single}, {Pass: "perses", About: choice}, {Pass: "comments"},
		{Pass: "perses", About: list, Answer: oracle.Answer{Cached: true}},
	} {
		a.Add(d)
	}
	got := a.Finish()
	want := Asked{Lists: 1, Replacements: 1, Other: 2}
	if got.Asked != want || got.Queries.Other.Tests != 1 || got.Minimal.Calls != 1 {
		t.Errorf("%+v, want %+v", got, want)
	}
}
