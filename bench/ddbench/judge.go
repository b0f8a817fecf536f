package main

import (
	"fmt"
	"slices"

	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

// published lists the algorithms as published. The best of them on a case needs the fewest tests.
var published = []variant{
	{Algorithm: "ddmin", Width: 1},
	{Algorithm: "wddmin", Width: 1},
	{Algorithm: "probdd", P0: defaultP0, Width: 1},
	{Algorithm: "wprobdd", P0: defaultP0, Width: 1},
	{Algorithm: "cdd", P0: defaultP0, Width: 1},
}

// A verdict compares a variant with the best published one, by geometric means over n cases.
type verdict struct {
	tests    float64 // relative to the best
	size     float64 // relative to the best
	smallest float64 // relative to the smallest of all
	fewer    gain    // difference of tests
	n        int
	left     []string // cases without comparison after a timeout
}

// judge compares a variant with the best of a set by tests. It omits cases where the variant or all of the set timed
// out. Variants that timed out are not the best.
func (g *grid) judge(v variant, set []variant) verdict {
	var verdict verdict
	var mine, theirs, sizes, smallest []float64
	for _, name := range g.shared(append(slices.Clone(set), v)...) {
		own := g.cells[v][name]
		var best cell
		least := 0.0
		for _, other := range set {
			c := g.cells[other][name]
			if !c.timedOut && (best.runs == nil || c.tests < best.tests) {
				best = c
			}
			if least == 0 || c.size < least {
				least = c.size
			}
		}
		if own.timedOut || best.runs == nil {
			verdict.left = append(verdict.left, name)
			continue
		}
		mine, theirs = append(mine, own.tests), append(theirs, best.tests)
		sizes, smallest = append(sizes, own.size/best.size), append(smallest, own.size/least)
	}
	verdict.n, verdict.fewer = len(mine), newGain(theirs, mine)
	verdict.tests = 1 + verdict.fewer.percent/100
	verdict.size, verdict.smallest = stats.Geometric(sizes), stats.Geometric(smallest)
	return verdict
}

func (g *grid) judgement(set []variant) *page.Table {
	t := page.NewTable(g.driver, "cases", "tests / best", "p", "size / size of the best", "size / smallest", "left out")
	ratio := func(x float64) string { return fmt.Sprintf("%.3f", x) }
	for _, v := range g.variants {
		d := g.judge(v, set)
		if d.n == 0 {
			continue
		}
		t.Show(v, d.n, ratio(d.tests), significant(d.fewer.p), ratio(d.size), ratio(d.smallest), len(d.left))
	}
	return t
}

func (g *grid) present() (set []variant) {
	for _, v := range published {
		v.Driver = g.driver
		if _, ok := g.cells[v]; ok {
			set = append(set, v)
		}
	}
	return set
}
