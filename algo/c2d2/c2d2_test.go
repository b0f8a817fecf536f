package c2d2

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/algotest"
)

func with(name string, c Config) algo.Entry {
	e := Entry()
	e.Name, e.With = name, func(p algo.Params) algo.Algorithm { return c.New(p) }
	return e
}

func bound(p0 float64, items int) float64 {
	n := float64(items)
	rounds := n
	if p0 <= 0.5 {
		rounds *= 1 + math.Floor(1+math.Log(1/(2*p0))/math.Log(4./3))/2
	}
	return 2*rounds*(1+3*math.Log(max(n, 1))) + n*(n+3)/2
}

func TestAlgorithm(t *testing.T) {
	r := algotest.Rand(1)
	needs := Defaults() // all wrong
	needs.Needs = algotest.RandomChanges(r, 60, 0, 0, 0.7).Reported
	for _, e := range []algo.Entry{Entry(), with("needs", needs)} {
		algotest.Test(t, algotest.Subject{Entry: e, Bound: bound})
	}
	thrifty := Thrifty()
	thrifty.Needs = needs.Needs
	algotest.Test(t, algotest.Subject{Entry: with("thrifty", thrifty), Bound: bound})
	alone := Defaults()
	alone.Chances, alone.Attempts = 0, 0
	drawn := with("alone", alone)
	drawn.Random = false // it uses no random numbers
	algotest.Test(t, algotest.Subject{Entry: drawn, Bound: bound})
}

func TestGolden(t *testing.T) {
	names := []string{"c2d2", "c2d2-thrifty"}
	algotest.GoldenOf(t, "../../testdata/algo", names,
		func(name string, reported [][]int, p algo.Params) (algo.Algorithm, error) {
			if name == "c2d2-thrifty" {
				c := Thrifty()
				c.Needs = reported
				return c.New(p), nil
			}
			return New(reported, p), nil
		})
}

// The example of the paper (§2.3 and §3.5, Figures 2 and 3): 23 changes; 1, 2 and 3 are critical. 6 needs 4, and 5 and
// 14 need each other, not reported. The need of 2 for 3 is reported and wrong. 1 needs 3, and 18 needs 20.
func TestExample(t *testing.T) {
	changes := algotest.Changes{Needs: make([][]int, 24), Reported: make([][]int, 24), Critical: []int{1, 2, 3}}
	for _, pair := range [][2]int{{6, 4}, {14, 5}, {5, 14}, {1, 3}, {18, 20}} {
		changes.Needs[pair[0]] = append(changes.Needs[pair[0]], pair[1])
	}
	for _, pair := range [][2]int{{1, 3}, {2, 3}, {18, 20}} {
		changes.Reported[pair[0]] = append(changes.Reported[pair[0]], pair[1])
	}
	matrix := newMatrix(algo.All(24), changes.Reported, 1, 0.1)
	all := algo.All(24)[1:]
	for _, asked := range []struct {
		kept    string
		outcome algo.Outcome
	}{
		{"1 2 10 13 14 18 19 20 21", algo.Unresolved}, // iteration 2, extended by its needs
		{"1 2 3 4 5 6 10 13 14 16 18 19 20 21 22", algo.Interesting},
		{"2 13", algo.Uninteresting}, // 12
		{"1 3 5 13 15 16 18", algo.Unresolved},
		{"1 3 5 13 14 15 16 18 20", algo.Uninteresting}, // 13
		{"1 2 3 6 14 18 20 22", algo.Unresolved},
		{"1 2 3 22", algo.Interesting}, // 14
		{"1 2 3", algo.Interesting},    // 19
		{"1 2", algo.Unresolved},       // 20, because 1 needs 3
		{"2 3", algo.Uninteresting},    // starting afresh
	} {
		var kept []int
		for _, name := range strings.Fields(asked.kept) {
			var item int
			fmt.Sscan(name, &item)
			kept = append(kept, item)
		}
		if o := changes.Property(kept); o != asked.outcome {
			t.Errorf("%s is %v, in the paper %v", asked.kept, o, asked.outcome)
		}
		if removed := algo.Without(all, kept); asked.outcome == algo.Unresolved {
			matrix = matrix.unresolved(kept, removed)
		} else {
			matrix = matrix.resolved(kept, removed)
		}
	}
	for _, tt := range []struct {
		item, needed int
		want         string
	}{
		{2, 3, "0.0"},   // reported, and refuted in iteration 12
		{1, 3, "1.0"},   // reported and correct
		{18, 20, "1.0"}, // reported and correct
		{1, 2, "0.0"},   // iteration 13
		{6, 4, "0.1"},   // there were many other causes in iteration 14
		{2, 1, "0.0"},
	} {
		if got := fmt.Sprintf("%.1f", matrix[tt.item][tt.needed]); got != tt.want {
			t.Errorf("%d needs %d with probability %s, want %s", tt.item, tt.needed, got, tt.want)
		}
	}

	c := Defaults()
	c.Needs, c.Cold = changes.Reported, []int{0, 8, 9, 11, 12, 17}
	tr := algotest.Run(t, 24, c.New(algo.Params{P0: 0.1, Seed: 1})(make([]int, 24)), changes.Property)
	if !slices.Equal(tr.Result, changes.Critical) {
		t.Errorf("result %v", tr.Result)
	}
	if first := tr.Probes[0]; first.Outcome != algo.Interesting || len(first.Kept) != 18 {
		t.Errorf("the cold start keeps %v, %v", first.Kept, first.Outcome)
	}
}

// Equation 4 by hand: 0 and 1 are kept, 2 and 3 are removed.
func TestMatrix(t *testing.T) {
	show := func(m matrix) string {
		var rows []string
		for i, row := range m {
			cells := make([]string, len(row))
			for j, p := range row {
				if cells[j] = fmt.Sprintf("%.3f", p); i == j {
					cells[j] = "-"
				}
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		return strings.Join(rows, "\n")
	}
	was := newMatrix([]int{0, 1, 2, 3}, [][]int{3: {0}}, 1, 0.1)
	kept, removed := []int{0, 1}, []int{2, 3}
	blamed := was.unresolved(kept, removed)
	for _, tt := range []struct {
		what string
		m    matrix
		want string
	}{
		{"at first", was,
			"- 0.100 0.100 0.100\n0.100 - 0.100 0.100\n0.100 0.100 - 0.100\n1.000 0.100 0.100 -"},
		{"unresolved", blamed, // 0.1/(1-0.9⁴)
			"- 0.100 0.291 0.291\n0.100 - 0.291 0.291\n0.100 0.100 - 0.100\n1.000 0.100 0.100 -"},
		{"resolved without one", blamed.resolved([]int{0, 1, 3}, []int{2}),
			"- 0.100 0.000 0.291\n0.100 - 0.000 0.291\n0.100 0.100 - 0.100\n1.000 0.100 0.000 -"},
		{"only one to blame", blamed.resolved([]int{0, 1, 3}, []int{2}).unresolved([]int{1}, []int{2, 3}),
			"- 0.100 0.000 0.291\n0.100 - 0.000 1.000\n0.100 0.100 - 0.100\n1.000 0.100 0.000 -"},
		{"what was reported explains all", was.unresolved([]int{1, 3}, []int{0}),
			"- 0.100 0.100 0.100\n0.100 - 0.100 0.100\n0.100 0.100 - 0.100\n1.000 0.100 0.100 -"},
		{"reduced", blamed.reduced([]int{0, 2, 3}), "- 0.291 0.291\n0.100 - 0.100\n1.000 0.100 -"},
		{"none to blame", was.resolved(kept, removed).unresolved(kept, removed),
			"- 0.100 0.000 0.000\n0.100 - 0.000 0.000\n0.100 0.100 - 0.100\n1.000 0.100 0.100 -"},
	} {
		if got := show(tt.m); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.what, got, tt.want)
		}
	}
}

func TestStepTime(t *testing.T) {
	const n = 300
	changes := algotest.RandomChanges(algotest.Rand(1), n, 0.4, 0.5, 0.05)
	s := New(changes.Reported, algo.Params{P0: 0.1, Seed: 1})(make([]int, n))
	start := time.Now()
	steps := 0
	for ; s != nil; steps++ {
		s = s.Next(changes.Property(s.Candidate))
	}
	if each := time.Since(start) / time.Duration(steps); each > 5*time.Millisecond { // 1 on an idle machine
		t.Errorf("%v for each of %d steps", each, steps)
	}
}
