package algo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

// These facts come from the papers and from notes on other implementations, so new golden traces cannot change them.

var (
	wddItems   = strings.Fields("1 2 3 4 5 6 7 8")
	wddWeights = []int{5, 8, 7, 7, 8, 16, 25, 6}
	wddNeeds   = []int{0, 2, 5, 6, 7}
)

func search(t *testing.T, name string, p0 float64, weights []int) *algo.Step[[]int] {
	t.Helper()
	e, err := algo.Published().Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return e.With(algo.Params{P0: p0})(weights)
}

func TestWDDExample(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tests  int
		passed string // numbers of the distinct tests that passed, with their items
	}{
		// The notes have 30 tests. The numbers of passing tests are from Fig. 2(a).
		{"ddmin", 30, "20:1345678 22:135678 25:13678"},
		{"wddmin", 26, "8:123678 22:13678"}, // Fig. 2(b)
		{"probdd", 12, ""},                  // the random order of the paper took 15
		{"wprobdd", 11, "6:134678 10:13678"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := algotest.Run(t, 8, search(t, tt.name, 0.2, wddWeights), algotest.Needs(wddNeeds))
			if tr.Tests != tt.tests {
				t.Errorf("%d tests, want %d", tr.Tests, tt.tests)
			}
			if !slices.Equal(tr.Result, wddNeeds) {
				t.Errorf("result %v, want %v", tr.Result, wddNeeds)
			}
			var passed []string
			n := 0
			for _, p := range tr.Probes {
				if p.Again {
					continue
				}
				n++
				if p.Outcome == algo.Interesting {
					passed = append(passed, fmt.Sprintf("%d:%s", n, algotest.Names(wddItems, p.Kept)))
				}
			}
			if got := strings.Join(passed, " "); tt.passed != "" && got != tt.passed {
				t.Errorf("passed %s, want %s", got, tt.passed)
			}
		})
	}
}

// Whole sequences of kept sets, with repetitions. The traces of the notes begin with the empty list, asked by another
// part.
//
// The CDD traces of the notes are from a variant of Algorithm 2 with a counter for each item. The last trace is ours:
// the first round ends with i as a run of one (abcd kept), which the variant would fill up to four.
func TestTraces(t *testing.T) {
	for _, tt := range []struct {
		algorithm string
		items     string
		weights   []int
		needs     string
		kept      string
	}{
		{"probdd", "a b c d e f g h", nil, "c h", "efgh abcd cdefgh efgh cdgh cd dgh cgh ch c"},
		{"cdd", "a b c d e f g h", nil, "c h", "efgh abcd cdefgh efgh cdgh cd dgh cgh ch c"},
		{"cdd", "a b c d e f g h", nil, "c d h", "efgh abcd cdefgh efgh cdgh cd dgh cgh cdh cd"},
		{"cdd", "a b c d e f g h", nil, "a c e f", "efgh abcd cdefgh abefgh abcdgh abcdef bcdef acdef adef acef acf ace"},
		{"wprobdd", "1 2 3 5 10", []int{1, 2, 3, 5, 10}, "1 5 10", "123 1235 1210 1510 110 510"},
		{"cdd", "a b c d e f g h i", nil, "a i", "efghi abcdi abcd cdi abi ab bi ai a"},
	} {
		t.Run(tt.algorithm+" "+tt.needs, func(t *testing.T) {
			items := strings.Fields(tt.items)
			if tt.weights == nil {
				tt.weights = make([]int, len(items))
			}
			want := algotest.Indexes(items, strings.Fields(tt.needs))
			tr := algotest.Run(t, len(items), search(t, tt.algorithm, 0.25, tt.weights), algotest.Needs(want))
			var kept []string
			for _, p := range tr.Probes {
				kept = append(kept, algotest.Names(items, p.Kept))
			}
			if got := strings.Join(kept, " "); got != tt.kept {
				t.Errorf("asked for\n%s, want\n%s", got, tt.kept)
			}
			if !slices.Equal(tr.Result, want) {
				t.Errorf("result %v, want %v", tr.Result, want)
			}
		})
	}
}

func TestCDDSizes(t *testing.T) {
	for _, tt := range []struct {
		p0   float64
		want []int
	}{
		{0.25, []int{4, 2, 1}},
		{0.1, []int{10, 6, 3, 2, 1}},
		{0.0025, []int{400, 252, 159, 101, 63, 40, 25, 16, 10, 6, 4, 2, 1}},
		{0.5, []int{2, 1}},
		{0.9, []int{1}},
	} {
		if got := cddSizes(1000, tt.p0); !slices.Equal(got, tt.want) {
			t.Errorf("p0 = %v: sizes %v, want %v", tt.p0, got, tt.want)
		}
	}
}

// A round begins with the removal of the first item.
func cddSizes(n int, p0 float64) []int {
	var sizes []int
	for s := algo.CDD(p0)(make([]int, n)); s != nil; s = s.Next(algo.Uninteresting) {
		if len(s.Candidate) == 0 || s.Candidate[0] != 0 {
			sizes = append(sizes, n-len(s.Candidate))
		}
	}
	return sizes
}

// Without weights, W_ProbDD equals ProbDD.
func TestNoWeights(t *testing.T) {
	property := algotest.Needs([]int{0, 7, 8, 30}, []int{3, 20, 21, 22})
	zero := make([]int, 40)
	want := algotest.Run(t, 40, algo.ProbDD(0.1)(zero), property)
	got := algotest.Run(t, 40, algo.WProbDD(0.1)(zero), property)
	if !slices.EqualFunc(got.Probes, want.Probes, func(a, b algotest.Probe) bool { return slices.Equal(a.Kept, b.Kept) }) {
		t.Errorf("asks for %v, want %v", got.Probes, want.Probes)
	}
}
