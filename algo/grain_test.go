package algo

import (
	"math"
	"slices"
	"testing"
)

// Outcomes without rhyme or reason: repeated until nothing goes, the result is
// 1-minimal.
func TestGrainFixpoint(t *testing.T) {
	for seed := range uint64(300) {
		r := newRand(seed)
		weights := weightsOf(r, 1+r.IntN(40))
		property := noise(seed, len(weights))
		left := all(len(weights))
		for gone := true; gone; {
			some := make([]int, len(left))
			for i, item := range left {
				some[i] = weights[item]
			}
			items := func(kept []int) []int {
				named := make([]int, len(kept))
				for i, k := range kept {
					named[i] = left[k]
				}
				return named
			}
			g := newGrain(some, hunch{})
			g.clumped = seed%2 == 1
			tr := run(t, len(left), g.search(), func(kept []int) Outcome { return property(items(kept)) })
			checkBound(t, "grain", 0, len(left), tr)
			gone = len(tr.result) < len(left)
			left = items(tr.result)
		}
		checkOneMinimal(t, left, property)
	}
}

// A failed set of which all but one could go is that one, without a test.
func TestGrainInfers(t *testing.T) {
	g := newGrain([]int{1, 1, 1}, hunch{}).failed(2).removed(1)
	if !slices.Equal(g.kept, []int{1}) || g.at != 2 || g.suspects != 0 {
		t.Errorf("keeps %v, goes on at %d with %d suspects", g.kept, g.at, g.suspects)
	}
	single := run(t, 64, grain(slices.Repeat([]int{1}, 64)), needs([]int{17}))
	if single.tests > 12 {
		t.Errorf("%d tests to find one of 64", single.tests)
	}
}

// Where needed items stand together, what they taught is forgotten behind them:
// it takes fewer tests than to expect as many in the rest.
func TestGrainClumped(t *testing.T) {
	needed := []int{200, 201, 202, 203, 204, 205, 206, 207, 208, 209}
	tests := func(clumped bool) int {
		g := newGrain(slices.Repeat([]int{1}, 400), hunch{})
		g.clumped = clumped
		tr := run(t, 400, g.search(), needs(needed))
		if !slices.Equal(tr.result, needed) {
			t.Fatalf("kept %v", tr.result)
		}
		return tr.tests
	}
	if clumped, spread := tests(true), tests(false); clumped >= spread {
		t.Errorf("%d tests if the needed items are expected to stand together, as they do, else %d", clumped, spread)
	}
}

// What lists of a kind were like is expected of the next; of another kind
// nothing is known.
func TestLore(t *testing.T) {
	firstOf := func(p Policy, lore Lore, kind string) (removed int) {
		l := &List{Weights: slices.Repeat([]int{1}, 40), Whole: 40, Kind: kind}
		s := p.Search(l, lore)
		if s.Ended() {
			return 0
		}
		return 40 - len(s.Candidate)
	}
	after := func(p Policy, outcome Outcome) (lore Lore) {
		for range 5 {
			s := p.Search(&List{Weights: slices.Repeat([]int{1}, 40), Whole: 40, Kind: "x"}, lore)
			for !s.Ended() {
				s = s.Next(outcome)
			}
			lore = lore.after(s)
		}
		return lore
	}
	thorough := haste{}
	fresh := firstOf(thorough, Lore{}, "x")
	needed, free := after(thorough, Uninteresting), after(thorough, Interesting)
	if n := firstOf(thorough, needed, "x"); n != 1 {
		t.Errorf("removes %d where everything was needed", n)
	}
	if n := firstOf(thorough, free, "x"); n != 40 || n <= fresh {
		t.Errorf("removes %d where everything could go, %d at first", n, fresh)
	}
	if n := firstOf(thorough, needed, "y"); n != fresh {
		t.Errorf("removes %d of what nothing is known of, %d at first", n, fresh)
	}
}

// In haste only choices are asked for that promise enough; in the end all are.
func TestHaste(t *testing.T) {
	l := &List{Mode: Choices, Weights: []int{900, 30, 1}, Whole: 1000, Kinds: []string{"a", "b", "b"}}
	asked := func(p Policy) (choices []int) {
		s := p.Search(l, Lore{})
		for ; !s.Ended(); s = s.Next(Uninteresting) {
			choices = append(choices, s.Candidate...)
		}
		return choices
	}
	if got := asked(haste{0.01}); !slices.Equal(got, []int{0}) {
		t.Errorf("in haste %v", got)
	}
	if got := asked(haste{}); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("in the end %v", got)
	}
	for _, weight := range []int{0, 1, 500, 1_000_000} {
		rounds := 0
		for p := Grain(); p != nil && rounds < 10; rounds++ {
			last := p
			if p = p.Round(weight, weight); p == nil && last != (haste{}) {
				t.Errorf("the last round is %v", last)
			}
		}
		if rounds > 4 {
			t.Errorf("%d rounds of nothing over %d tokens", rounds, weight)
		}
	}
	if p := (haste{}).Round(500, 499); p == nil {
		t.Error("a round that removed something was the last")
	}
}

// The probabilities of a part and of what is known of a whole.
func TestHunch(t *testing.T) {
	f := forecastOf(100)
	part := func(x float64) (s share) {
		for i := range s {
			s[i] = x
		}
		return s
	}
	var h hunch
	for range 50 { // one in ten is needed
		h = h.removed(f, part(0.09)).failed(f, part(0.01))
	}
	c := h.credence()
	if p := c.passes(f, part(0.01)); math.Abs(p-0.9) > 0.03 {
		t.Errorf("one passes with %v", p)
	}
	if p := c.passesOf(f, part(0.01), part(0.02)); math.Abs(p-0.47) > 0.03 {
		t.Errorf("one of two of which one is needed passes with %v", p)
	}
	if p := c.passesOf(f, part(0.02), part(0.02)); math.Abs(p) > 1e-9 {
		t.Errorf("a failed set passes with %v", p)
	}
}
