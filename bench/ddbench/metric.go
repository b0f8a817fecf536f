package main

import (
	"fmt"
	"slices"

	"whittle/bench/internal/stats"
)

type metric struct {
	name  string
	of    func(cell) float64
	ended bool // undefined after a timeout
	form  string
	more  bool // more is better
}

var (
	size    = metric{"tokens left", func(c cell) float64 { return c.size }, false, "%.0f", false}
	tests   = metric{"tests", func(c cell) float64 { return c.tests }, true, "%.0f", false}
	seconds = metric{"seconds", func(c cell) float64 { return c.seconds }, true, "%.1f", false}
	speed   = metric{"tokens deleted per second", func(c cell) float64 { return c.speed }, false, "%.1f", true}
)

var metrics = []metric{size, tests, seconds, speed}

func (m metric) values(g *grid, v variant, cases []string) []float64 {
	var values []float64
	for _, name := range cases {
		values = append(values, m.of(g.cells[v][name]))
	}
	return values
}

func (m metric) comparable(g *grid, variants ...variant) []string {
	return slices.DeleteFunc(g.shared(variants...), func(name string) bool {
		return m.ended && slices.ContainsFunc(variants, func(v variant) bool { return g.cells[v][name].timedOut })
	})
}

// A gain is the change of a metric between two variants, in per cent, as a geometric mean over n
// cases, with the p-value of Wilcoxon's signed-rank test.
type gain struct {
	percent float64
	p       float64
	n       int
}

func (m metric) compare(g *grid, a, b variant) gain {
	cases := m.comparable(g, a, b)
	return newGain(m.values(g, a, cases), m.values(g, b, cases))
}

func newGain(x, y []float64) gain {
	var ratios []float64
	for i := range x {
		ratios = append(ratios, y[i]/x[i])
	}
	return gain{100 * (stats.Geometric(ratios) - 1), stats.Wilcoxon(x, y), len(x)}
}

func (g gain) String() string {
	if g.n == 0 {
		return "—"
	}
	return fmt.Sprintf("%+.1f%% (p = %s, n = %d)", g.percent, significant(g.p), g.n)
}

func significant(p float64) string {
	if p < 0.001 {
		return fmt.Sprintf("%.0e", p)
	}
	return fmt.Sprintf("%.2g", p)
}
