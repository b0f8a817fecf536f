package c2d2

import (
	"fmt"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/internal/testkit/algotest"
	"whittle/internal/testkit/cases"
)

// A kind has the arguments of [algotest.RandomChanges].
type kind struct {
	n                      int
	needs, reported, wrong float64
}

var contenders = []struct {
	name string
	with func(reported [][]int) algo.Algorithm
}{
	{"ddmin", func([][]int) algo.Algorithm { return algo.DDMin }},
	{"probdd", func([][]int) algo.Algorithm { return algo.ProbDD(0.1) }},
	{"probdd, each", func([][]int) algo.Algorithm { return algo.ThenEach(algo.ProbDD(0.1)) }},
	{"grain", func([][]int) algo.Algorithm { return grain.Entry().With(algo.Params{}) }},
	{"coupled", grain.Coupled},
	{"coupled, each", func(needs [][]int) algo.Algorithm { return algo.ThenEach(grain.Coupled(needs)) }},
	{"coupled, then thrifty", coupledFirst},
	{"c2d2", configured(func(*Config) {})},
	{"c2d2, nothing reported", configured(func(c *Config) { c.Needs = nil })},
	{"c2d2, no resolving", configured(func(c *Config) { c.Attempts = 0 })},
	{"c2d2, no starting afresh", configured(func(c *Config) { c.Afresh = false })},
	{"c2d2, no equal chances", configured(func(c *Config) { c.Chances = 0 })},
	{"c2d2, trusting", configured(func(c *Config) { c.Trust = true })},
	{"c2d2, thrifty", configured(func(c *Config) {
		needs := c.Needs
		*c = Thrifty()
		c.Needs = needs
	})},
}

func configured(change func(*Config)) func([][]int) algo.Algorithm {
	return func(reported [][]int) algo.Algorithm {
		c := Defaults()
		c.Needs = reported
		change(&c)
		return c.New(algo.Params{P0: 0.1, Seed: 1})
	}
}

func coupledFirst(reported [][]int) algo.Algorithm {
	c := Thrifty()
	c.Needs = reported
	return c.After(grain.Coupled(reported), algo.Params{P0: 0.1, Seed: 1})
}

// mean returns the average number of tests, and the remaining items per critical one.
func (k kind) mean(tb testing.TB, with func([][]int) algo.Algorithm) (tests, left float64) {
	const lists = 30
	critical := 0
	for seed := range uint64(lists) {
		changes := algotest.RandomChanges(algotest.Rand(seed), k.n, k.needs, k.reported, k.wrong)
		tr := algotest.Run(tb, k.n, with(changes.Reported)(make([]int, k.n)), changes.Property)
		tests += float64(tr.Tests) / lists
		left += float64(len(tr.Result))
		critical += len(changes.Critical)
		if changes.Property(tr.Result) != algo.Interesting {
			tb.Errorf("%v, seed %d: result %v, critical are %v", k, seed, tr.Result, changes.Critical)
		}
	}
	return tests, left / float64(critical)
}

// With some needs missing and others wrong, C2D2 takes a few more tests than ProbDD, whose results are up to four times
// as large.
func TestChanges(t *testing.T) {
	ddmin, probdd := contenders[0].with, contenders[1].with
	thrifty := contenders[len(contenders)-1].with
	kinds := []struct {
		kind
		ofDDMin, ofProbDD, thrifty float64 // maximum share of the tests of ddmin, ProbDD and C2D2
	}{
		{kind{20, 0.4, 1, 0}, 0.45, 0.9, 0.7},
		{kind{100, 0.4, 1, 0}, 0.12, 0.5, 0.6},
		{kind{300, 0.3, 1, 0}, 0.12, 0.5, 0.6},
		{kind{20, 0.4, 0.8, 0.05}, 0.6, 1.3, 0.75},
		{kind{100, 0.4, 0.8, 0.05}, 0.3, 1.3, 0.6},
	}
	for i := range cases.Of(t, len(kinds), 3) {
		tt := kinds[i]
		tests, left := tt.mean(t, configured(func(*Config) {}))
		ddminTests, ddminLeft := tt.mean(t, ddmin)
		probddTests, probddLeft := tt.mean(t, probdd)
		thriftyTests, _ := tt.mean(t, thrifty)
		afterTests, afterLeft := tt.mean(t, coupledFirst)
		if afterTests > 1.1*thriftyTests || afterLeft > 1.05 {
			t.Errorf("%v: after grain.Coupled %.1f tests, %.2f left; alone %.1f", tt.kind, afterTests, afterLeft, thriftyTests)
		}
		if tests > tt.ofDDMin*ddminTests || tests > tt.ofProbDD*probddTests || thriftyTests > tt.thrifty*tests {
			t.Errorf("%v: %.1f tests, thrifty %.1f; ddmin %.1f, ProbDD %.1f",
				tt.kind, tests, thriftyTests, ddminTests, probddTests)
		}
		if left > 1.05 || left > ddminLeft || left > probddLeft {
			t.Errorf("%v: %.2f left for each critical one; ddmin %.2f, ProbDD %.2f",
				tt.kind, left, ddminLeft, probddLeft)
		}
	}
}

// Unresolved tests reveal the needs.
func TestHiddenNeeds(t *testing.T) {
	k := kind{20, 0.4, 0, 0}
	tests, left := k.mean(t, configured(func(*Config) {}))
	ddminTests, ddminLeft := k.mean(t, contenders[0].with)
	_, unresolving := k.mean(t, configured(func(c *Config) { c.Attempts = 0 }))
	if tests > ddminTests || left > ddminLeft || left >= unresolving {
		t.Errorf("%.1f tests, %.2f left, %.2f without resolving; ddmin %.1f, %.2f",
			tests, left, unresolving, ddminTests, ddminLeft)
	}
}

// The table in bench/results/evaluation.md.
func BenchmarkChanges(b *testing.B) {
	for _, k := range []kind{{100, 0, 0, 0}, {20, 0.4, 0, 0}, {100, 0.4, 0, 0}, {100, 0.2, 0.5, 0.05},
		{20, 0.4, 0.8, 0.05}, {100, 0.4, 0.8, 0.05}, {100, 0.4, 1, 0}, {300, 0.4, 1, 0}} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("%v/%s", k, c.name), func(b *testing.B) {
				var tests, left float64
				for b.Loop() {
					tests, left = k.mean(b, c.with)
				}
				b.ReportMetric(tests, "tests/op")
				b.ReportMetric(left, "remaining")
			})
		}
	}
}
