package algo

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The facts below come from the papers and from notes on other implementations.
// They stand here in full, so that rewriting the golden traces cannot change
// them.

// The example of the WDD paper, Fig. 1 and 2: items 1 to 8.
var (
	wddItems   = strings.Fields("1 2 3 4 5 6 7 8")
	wddWeights = []int{5, 8, 7, 7, 8, 16, 25, 6}
	wddNeeds   = []int{0, 2, 5, 6, 7}
)

func TestWDDExample(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tests  int
		passed string // which of the distinct tests passed, and with what
	}{
		// The notes say 30; the numbers of the passed tests are Fig. 2(a)'s.
		{"ddmin", 30, "20:1345678 22:135678 25:13678"},
		{"wddmin", 26, "8:123678 22:13678"}, // Fig. 2(b)
		{"probdd", 12, ""},                  // the paper's random order took 15
		{"wprobdd", 11, "6:134678 10:13678"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := run(t, 8, search(t, tt.name, 0.2, wddWeights), needs(wddNeeds))
			if tr.tests != tt.tests {
				t.Errorf("%d tests, want %d", tr.tests, tt.tests)
			}
			if !slices.Equal(tr.result, wddNeeds) {
				t.Errorf("result %v, want %v", tr.result, wddNeeds)
			}
			var passed []string
			n := 0
			for _, p := range tr.probes {
				if p.again {
					continue
				}
				n++
				if p.outcome == Interesting {
					passed = append(passed, fmt.Sprintf("%d:%s", n, names(wddItems, p.kept)))
				}
			}
			if got := strings.Join(passed, " "); tt.passed != "" && got != tt.passed {
				t.Errorf("passed %s, want %s", got, tt.passed)
			}
		})
	}
}

// W_ddmin's first partitions, Fig. 1(c).
func TestWDDPartitions(t *testing.T) {
	w := weighted(wddWeights)
	parts := [][]int{all(8)}
	for _, want := range []string{"12345 678", "123 45 6 78", "12 3 4 5 7 8", "1 2", ""} {
		parts = w.split(parts)
		var got []string
		for _, part := range parts {
			got = append(got, names(wddItems, part))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("split into %q, want %q", g, want)
		}
	}
	for _, tt := range []struct {
		weights []int
		want    int
	}{
		{[]int{1, 2, 1}, 1}, // 1+3 and 3+1 are equally close: the earlier
		{[]int{9, 1, 1}, 1},
		{[]int{1, 1, 9}, 2},
		{[]int{0, 0, 0}, 1},
		{[]int{0, 0, 5}, 1},
		{[]int{2, 2, 2, 2}, 2},
	} {
		if got := weighted(tt.weights).middle(all(len(tt.weights))); got != tt.want {
			t.Errorf("weights %v cut at %d, want %d", tt.weights, got, tt.want)
		}
	}
}

// W_ProbDD's whole trace, Fig. 2(d): the removed sets, the outcome, and the
// probabilities of some items after it, to three digits in the notes and to two
// in the figure.
func TestWProbDDExample(t *testing.T) {
	w := weighted(wddWeights)
	m := believe(8, 0.2, w.mostGain, w.largestGain)
	list := all(8)
	property := needs(wddNeeds)
	s := wprobdd(wddWeights, 0.2)
	for i, want := range []struct {
		removed string
		outcome Outcome
		p       string
	}{
		{"67", Uninteresting, "1:0.200 6:0.556 7:0.556"},
		{"7", Uninteresting, "6:0.556 7:1.000"},
		{"256", Uninteresting, "6:0.776 2:0.280 5:0.280"},
		{"2345", Uninteresting, "2:0.419 5:0.419 3:0.300 4:0.300"},
		{"348", Uninteresting, "3:0.493 4:0.493 8:0.329"},
		{"25", Interesting, "1:0.200"},
		{"18", Uninteresting, "1:0.43 8:0.71"},
		{"6", Uninteresting, "6:1.000"},
		{"34", Uninteresting, "3:0.66 4:0.66"},
		{"1", Uninteresting, "1:1.000"},
		{"3", Uninteresting, "3:1.000"},
		{"4", Interesting, ""},
		{"8", Uninteresting, "8:1.000"},
	} {
		if len(m.open) == 0 || s == nil {
			t.Fatalf("ended before step %d", i+1)
		}
		k := m.prefix(m.open)
		removed := itemsOf(m.open[:k])
		rest := without(list, removed)
		if got := names(wddItems, removed); got != want.removed {
			t.Fatalf("step %d removes %s, want %s", i+1, got, want.removed)
		}
		if !slices.Equal(s.Candidate, rest) {
			t.Fatalf("step %d asks for %v, want %v", i+1, s.Candidate, rest)
		}
		if got := property(rest); got != want.outcome {
			t.Fatalf("step %d is %v, want %v", i+1, got, want.outcome)
		}
		if s = s.Next(want.outcome); want.outcome == Interesting {
			list, m = rest, m.removed(k)
		} else {
			m = m.failed(k)
		}
		for _, f := range strings.Fields(want.p) {
			name, p, _ := strings.Cut(f, ":")
			digits := len(p) - len("0.")
			if got := fmt.Sprintf("%.*f", digits, probability(m, slices.Index(wddItems, name))); got != p {
				t.Errorf("after step %d p of %s is %s, want %s", i+1, name, got, p)
			}
		}
	}
	if len(m.open) > 0 || s != nil {
		t.Errorf("goes on after the last step")
	}
}

// probability is 1 for items no longer open, provided that they are kept.
func probability(m model, item int) float64 {
	for _, b := range m.open {
		if b.item == item {
			return b.p
		}
	}
	return 1
}

// Whole sequences of kept sets, repeated ones included. The notes' traces begin
// with the empty list, which is not the algorithms' to ask but was asked before
// them.
//
// The notes' traces of CDD are of a variant with a counter for each item, and
// said to differ from the paper's Algorithm 2, which we follow, where sizes do
// not divide. In these cases nothing differs. The last one, which is ours, is
// such a case: the first round ends with i as a run of one (abcd kept), where
// the variant would fill it up to four with a, b and c (d kept).
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
			want := indexes(items, strings.Fields(tt.needs))
			tr := run(t, len(items), search(t, tt.algorithm, 0.25, tt.weights), needs(want))
			var kept []string
			for _, p := range tr.probes {
				kept = append(kept, names(items, p.kept))
			}
			if got := strings.Join(kept, " "); got != tt.kept {
				t.Errorf("asked for\n%s, want\n%s", got, tt.kept)
			}
			if !slices.Equal(tr.result, want) {
				t.Errorf("result %v, want %v", tr.result, want)
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

// cddSizes gives the sizes of CDD's rounds over n items, all needed: a round
// begins where the first item is removed.
func cddSizes(n int, p0 float64) []int {
	var sizes []int
	for s := cdd(n, p0); s != nil; s = s.Next(Uninteresting) {
		if len(s.Candidate) == 0 || s.Candidate[0] != 0 {
			sizes = append(sizes, n-len(s.Candidate))
		}
	}
	return sizes
}

// When nothing weighs anything, W_ProbDD is ProbDD.
func TestNoWeights(t *testing.T) {
	property := needs([]int{0, 7, 8, 30}, []int{3, 20, 21, 22})
	zero := make([]int, 40)
	want := run(t, 40, probdd(40, 0.1), property)
	got := run(t, 40, wprobdd(zero, 0.1), property)
	if !slices.EqualFunc(got.probes, want.probes, func(a, b probe) bool { return slices.Equal(a.kept, b.kept) }) {
		t.Errorf("asks for %v, want %v", got.probes, want.probes)
	}
}

// At p = 1/m removing m-1 or m items promises the same; ProbDD and CDD take m,
// W_ProbDD with its strictly greater gain m-1.
func TestTies(t *testing.T) {
	for m := 2; m <= 2000; m++ {
		p := 1 / float64(m)
		equal := make([]int, m+5)
		for i := range equal {
			equal[i] = 3
		}
		if got := believe(m+5, p, leastNeeded, largestGain); got.prefix(got.open) != m {
			t.Errorf("probdd, p = 1/%d: removes %d", m, got.prefix(got.open))
		}
		if got := cddSize(p, m+5); got != m {
			t.Errorf("cdd, p = 1/%d: removes %d", m, got)
		}
		w := weighted(equal)
		if got := believe(m+5, p, w.mostGain, w.largestGain); got.prefix(got.open) != m-1 {
			t.Errorf("wprobdd, p = 1/%d: removes %d", m, got.prefix(got.open))
		}
	}
}

// names joins the names of the items.
func names(items []string, list []int) string {
	var b strings.Builder
	for _, i := range list {
		b.WriteString(items[i])
	}
	return b.String()
}

// indexes finds the named items.
func indexes(items, names []string) []int {
	var list []int
	for _, name := range names {
		list = append(list, slices.Index(items, name))
	}
	return list
}
