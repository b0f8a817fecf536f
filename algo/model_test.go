package algo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The example of the WDD paper, Fig. 1 and 2: items 1 to 8.
var (
	wddItems   = strings.Fields("1 2 3 4 5 6 7 8")
	wddWeights = []int{5, 8, 7, 7, 8, 16, 25, 6}
)

// The first partitions of W_ddmin, Fig. 1(c).
func TestWDDPartitions(t *testing.T) {
	w := weighted(wddWeights)
	parts := [][]int{All(8)}
	for _, want := range []string{"12345 678", "123 45 6 78", "12 3 4 5 7 8", "1 2", ""} {
		parts = w.split(parts)
		var got []string
		for _, part := range parts {
			got = append(got, numbers(part))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("split into %q, want %q", g, want)
		}
	}
	for _, tt := range []struct {
		weights []int
		want    int
	}{
		{[]int{1, 2, 1}, 1}, // 1+3 and 3+1 are equally close: the earlier wins
		{[]int{9, 1, 1}, 1},
		{[]int{1, 1, 9}, 2},
		{[]int{0, 0, 0}, 1},
		{[]int{0, 0, 5}, 1},
		{[]int{2, 2, 2, 2}, 2},
	} {
		if got := weighted(tt.weights).middle(All(len(tt.weights))); got != tt.want {
			t.Errorf("weights %v cut at %d, want %d", tt.weights, got, tt.want)
		}
	}
}

// The whole trace of W_ProbDD, Fig. 2(d): removed sets, outcomes, and probabilities to three digits as in the notes.
func TestWProbDDExample(t *testing.T) {
	w := weighted(wddWeights)
	m := believe(8, 0.2, w.mostGain, w.largestGain)
	list := All(8)
	s := WProbDD(0.2)(wddWeights)
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
		rest := Without(list, removed)
		if got := numbers(removed); got != want.removed {
			t.Fatalf("step %d removes %s, want %s", i+1, got, want.removed)
		}
		if !slices.Equal(s.Candidate, rest) {
			t.Fatalf("step %d asks for %v, want %v", i+1, s.Candidate, rest)
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

// Decided items have probability 1 if they are kept.
func probability(m model, item int) float64 {
	for _, b := range m.open {
		if b.item == item {
			return b.p
		}
	}
	return 1
}

// At p = 1/m removing m-1 or m items has the same gain. ProbDD and CDD take m. W_ProbDD takes m-1: it requires a
// greater gain.
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

func TestLargestGain(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 20240917))
		var open []belief
		for i := range 1 + r.IntN(30) {
			open = append(open, belief{i, 1e-3 + 0.998*math.Pow(r.Float64(), 3)})
		}
		slices.SortFunc(open, leastNeeded)
		best, bestGain, pass := 0, 0.0, 1.0
		for i, b := range open {
			pass *= 1 - b.p
			if gain := float64(i+1) * pass; gain >= bestGain*(1-Tie) {
				best, bestGain = i+1, gain
			}
		}
		if got := largestGain(open); got != best {
			t.Fatalf("prefix of %d, want %d: %v", got, best, open)
		}
		k := float64(best)
		if pass := 1 - oneNeeded(open[:best]); best > 1 && pass < math.Pow(1-1/k, k)*(1-Tie) {
			t.Fatalf("prefix of %d passes with %v: %v", best, pass, open)
		}
	}
}

func numbers(list []int) string {
	var b strings.Builder
	for _, i := range list {
		b.WriteString(wddItems[i])
	}
	return b.String()
}
