package algo

import (
	"flag"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"
)

// The synthetic analysis of the WDD paper, §IV-D: random lists of items of
// random weight, in which every token is removable with the same probability,
// so that an item of weight w is with the w-th power of it. A list is
// interesting if all items that are not removable are kept.
type synthetic struct {
	weights []int
	needed  int // number of items that are not removable

	// keys has a random number for each item. Its lowest 10 bits are 1 if the
	// item is needed, else 0; so the sum over a list tells the list apart from
	// others and counts what it has of the needed items.
	keys []uint64
}

// newSynthetic gives list i of an endless row. Length, total weight and
// removability, which decide most about the number of tests, are spread evenly
// and not at random, for the same averages from fewer lists: each is uniform,
// and any first few lists cover their space (an additive recurrence with the
// powers of 1/g, g⁴ = g+1).
func newSynthetic(i int) synthetic {
	const g = 1.2207440846057596
	even := func(power float64) float64 {
		_, frac := math.Modf(0.5 + float64(i)*math.Pow(g, -power))
		return frac
	}
	r := newRand(uint64(i))
	n := 2 + int(999*even(1))
	total := n + int(float64(9*n+1)*even(2))
	removable := even(3)
	sy := synthetic{weights: make([]int, n), keys: make([]uint64, n)}
	for i := range n {
		sy.weights[i] = 1
	}
	for range total - n {
		sy.weights[r.IntN(n)]++
	}
	for i, w := range sy.weights {
		sy.keys[i] = r.Uint64() << 10
		if r.Float64() >= math.Pow(removable, float64(w)) {
			sy.keys[i]++
			sy.needed++
		}
	}
	return sy
}

// run counts the distinct candidates of a search, and the items that remain.
func (sy synthetic) run(s *step) (tests, remaining int) {
	known := make(map[uint64]bool)
	remaining = len(sy.weights)
	for s != nil {
		sum := sy.sum(s.Candidate)
		known[sum] = true
		o := Uninteresting
		if int(sum%1024) == sy.needed {
			o, remaining = Interesting, len(s.Candidate)
		}
		s = s.Next(o)
	}
	return len(known), remaining
}

// sum adds up the keys.
func (sy synthetic) sum(list []int) uint64 {
	var sum uint64
	for _, item := range list {
		sum += sy.keys[item]
	}
	return sum
}

var lists = flag.Int("lists", 0, "lists for each algorithm in TestSynthetic (0: as many as are quick)")

// syntheticLists says how many lists are quick, where it is more than 12.
var syntheticLists = map[string]int{
	"ddmin": 24, "wddmin": 24, "probdd": 200, "wprobdd": 200, "cdd": 200, "opdd": 200, "activecoarsen": 100,
}

// The paper saw 23% fewer tests for W_ddmin than for ddmin on average. Another
// implementation of the same rules, on 1,000 lists, had 24.9% fewer in total
// (12,973 and 9,740 on average), 15.7% fewer by geometric mean, and for ProbDD,
// W_ProbDD and CDD 907, 927 and 940 on average.
func TestSynthetic(t *testing.T) {
	const p0 = 0.1
	var table strings.Builder
	fmt.Fprintf(&table, "p0 = %v\n%-13s %8s %8s %10s %10s\n", p0, "", "lists", "tests", "geometric", "remaining")
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	mean := make(map[string]float64)
	for _, name := range Names() {
		count := max(*lists, 12)
		if *lists == 0 {
			count = max(count, syntheticLists[name])
		}
		total, logs, remaining := 0, 0.0, 0
		for i := range count {
			sy := newSynthetic(i)
			tests, left := sy.run(search(t, name, p0, sy.weights))
			if want := sy.needed; left != want && (want > 0 || asksEmpty(name)) {
				t.Errorf("list %d: %s leaves %d items, needs %d", i, name, left, want)
			}
			total += tests
			logs += math.Log(float64(tests))
			remaining += left
		}
		n := float64(count)
		mean[name] = float64(total) / n
		fmt.Fprintf(&table, "%-13s %8d %8.0f %10.1f %10.1f\n", name, count, mean[name], math.Exp(logs/n), float64(remaining)/n)
	}
	t.Log(table.String())

	if fewer := 1 - mean["wddmin"]/mean["ddmin"]; fewer < 0.15 || fewer > 0.35 {
		t.Errorf("wddmin takes %.1f%% fewer tests than ddmin, want 15%% to 35%%", 100*fewer)
	}
	for name, want := range map[string]float64{"probdd": 907, "wprobdd": 927, "cdd": 940} {
		if got := mean[name]; math.Abs(got/want-1) > 0.1 {
			t.Errorf("%s takes %.0f tests on average, want %.0f ± 10%%", name, got, want)
		}
	}
}

// Each operation is one list.
func BenchmarkSynthetic(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			tests, remaining := 0, 0
			i := 0
			for b.Loop() {
				sy := newSynthetic(i)
				n, left := sy.run(search(b, name, 0.1, sy.weights))
				tests += n
				remaining += left
				i++
			}
			b.ReportMetric(float64(tests)/float64(b.N), "tests/op")
			b.ReportMetric(float64(remaining)/float64(b.N), "remaining/op")
		})
	}
}
