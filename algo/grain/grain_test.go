package grain

import (
	"math"
	"slices"
	"testing"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/internal/testkit/algotest"
	"whittle/internal/testkit/cases"
)

var (
	defaults = Defaults()
	subject  = algotest.Subject{Entry: Entry(), Bound: func(_ float64, items int) float64 {
		n := float64(items)
		return n * (2 + math.Log2(n)) // exceeds all random lists by far
	}}
)

func TestAlgorithm(t *testing.T) { algotest.Test(t, subject) }

func TestGolden(t *testing.T) { algotest.Golden(t, "../../testdata/algo", algo.Table{Entry()}) }

func TestGrainFixpoint(t *testing.T) {
	for i := range cases.Of(t, 300, 6) {
		seed := uint64(i)
		r := algotest.Rand(seed)
		weights := algotest.WeightsOf(r, 1+r.IntN(40))
		property := algotest.Noise(seed, len(weights))
		left := algo.All(len(weights))
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
			g := newSearch(&defaults, some, posterior{})
			g.clumped = seed%2 == 1
			tr := algotest.Run(t, len(left), g.next(), func(kept []int) algo.Outcome { return property(items(kept)) })
			subject.CheckBound(t, 0, len(left), tr)
			gone = len(tr.Result) < len(left)
			left = items(tr.Result)
		}
		algotest.CheckOneMinimal(t, left, property)
	}
}

// If all items of a failed set except one were removed, that one is required without a test.
func TestGrainInfersRequired(t *testing.T) {
	g := newSearch(&defaults, []int{1, 1, 1}, posterior{}).failed(2).removed(1)
	if !slices.Equal(g.kept, []int{1}) || g.at != 2 || g.suspects != 0 {
		t.Errorf("keeps %v, goes on at %d with %d suspects", g.kept, g.at, g.suspects)
	}
	search := newSearch(&defaults, slices.Repeat([]int{1}, 64), posterior{})
	single := algotest.Run(t, 64, search.next(), algotest.Needs([]int{17}))
	if single.Tests > 12 {
		t.Errorf("%d tests to find one of 64", single.Tests)
	}
}

// Forgetting after each of the clustered items saves tests.
func TestGrainClumped(t *testing.T) {
	needed := []int{200, 201, 202, 203, 204, 205, 206, 207, 208, 209}
	tests := func(clumped bool) int {
		g := newSearch(&defaults, slices.Repeat([]int{1}, 400), posterior{})
		g.clumped = clumped
		tr := algotest.Run(t, 400, g.next(), algotest.Needs(needed))
		if !slices.Equal(tr.Result, needed) {
			t.Fatalf("kept %v", tr.Result)
		}
		return tr.Tests
	}
	if clumped, spread := tests(true), tests(false); clumped >= spread {
		t.Errorf("%d tests if the needed items are expected to stand together, as they do, else %d", clumped, spread)
	}
}

// Experience applies to the next list of the kind only.
func TestHistory(t *testing.T) {
	list := func(kind string) *algo.List {
		return &algo.List{Weights: slices.Repeat([]int{1}, 40), Whole: 40, Kind: kind}
	}
	firstOf := func(p rounds.Policy, kind string) (removed int) {
		s := p.Search(list(kind))
		if s.Ended() {
			return 0
		}
		return 40 - len(s.Candidate)
	}
	after := func(p rounds.Policy, outcome algo.Outcome) rounds.Policy {
		for range 5 {
			s := p.Search(list("x"))
			for !s.Ended() {
				s = s.Next(outcome)
			}
			p = p.Learn(s.End)
		}
		return p
	}
	fresh := policy{params: &defaults}
	first, needed, free := firstOf(fresh, "x"), after(fresh, algo.Uninteresting), after(fresh, algo.Interesting)
	if n := firstOf(needed, "x"); n != 1 {
		t.Errorf("removes %d where everything was needed", n)
	}
	if n := firstOf(free, "x"); n != 40 || n <= first {
		t.Errorf("removes %d where everything could go, %d at first", n, first)
	}
	if n := firstOf(needed, "y"); n != first {
		t.Errorf("removes %d of what nothing is known of, %d at first", n, first)
	}
}

func TestThreshold(t *testing.T) {
	l := &algo.List{Mode: algo.Choices, Weights: []int{900, 30, 1}, Whole: 1000, Kinds: []string{"a", "b", "b"}}
	asked := func(p rounds.Policy) (choices []int) {
		s := p.Search(l)
		for ; !s.Ended(); s = s.Next(algo.Uninteresting) {
			choices = append(choices, s.Candidate...)
		}
		return choices
	}
	if got := asked(Policy(defaults)); !slices.Equal(got, []int{0}) {
		t.Errorf("with a threshold %v", got)
	}
	last := policy{params: &defaults}
	if got := asked(last); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("in the end %v", got)
	}
	few := algo.List{Mode: algo.Single, Weights: []int{1, 1}, Whole: 1000}
	many := algo.List{Mode: algo.Single, Weights: make([]int, 1000), Whole: 1000}
	if Policy(defaults).Search(&few) != nil || last.Search(&few) == nil {
		t.Error("few are asked for one by one with a threshold, or not without")
	}
	if last.Search(&many) != nil || last.Round(500, 499).Search(&many) == nil {
		t.Error("many are asked for one by one before a round has gained little, or never")
	}
	for weight, most := range map[int]int{0: 5, 1: 5, 500: 5, 1_000_000: 9} {
		rounds := 0
		for p := Policy(defaults); p != nil && rounds <= most; rounds++ {
			last := p
			if p = p.Round(weight, weight); p == nil && last.(policy).threshold != 0 {
				t.Errorf("the last round is %v", last)
			}
		}
		if rounds > most {
			t.Errorf("more than %d rounds of nothing over %d tokens", most, weight)
		}
	}
	if p := (policy{params: &defaults}).Round(500, 499); p == nil {
		t.Error("a round that removed something was the last")
	}
}

func TestPosterior(t *testing.T) {
	f := defaults.forecast(100)
	part := func(x float64) (s share) {
		for i := range s {
			s[i] = x
		}
		return s
	}
	var h posterior
	for range 50 { // one in ten is required
		h = h.removed(f, part(0.09)).failed(f, part(0.01))
	}
	c := h.probabilities(defaults.Negligible)
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

// A long list loses most of its items before a needed one is found.
func TestGrainLong(t *testing.T) {
	const items = 100_000
	needed := []int{11_000, 50_000, 92_000}
	l := &algo.List{Weights: slices.Repeat([]int{1}, items), Whole: items}
	for name, s := range map[string]*step{"policy": policy{params: &defaults}.Search(l), "entry": Entry().With(algo.Params{})(l.Weights)} {
		left, tests := items, 0
		for ; !s.Ended(); tests++ {
			o := algo.Uninteresting
			if !slices.ContainsFunc(needed, func(i int) bool { _, in := slices.BinarySearch(s.Candidate, i); return !in }) {
				o, left = algo.Interesting, len(s.Candidate)
			}
			if s = s.Next(o); tests == 13 && left > items/3 {
				t.Errorf("%s: %d items after %d tests", name, left, tests)
			}
		}
		if left != len(needed) || tests > 65 {
			t.Errorf("%s: %d items after %d tests", name, left, tests)
		}
	}
}
