package main

import (
	"fmt"
	"slices"

	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

// published are the algorithms of the papers as they are published. The one that
// needs the fewest tests on a case is the best of them there.
var published = []variant{
	{Algorithm: "ddmin", Width: 1},
	{Algorithm: "wddmin", Width: 1},
	{Algorithm: "probdd", P0: defaultP0, Width: 1},
	{Algorithm: "wprobdd", P0: defaultP0, Width: 1},
	{Algorithm: "cdd", P0: defaultP0, Width: 1},
}

// A verdict is how a variant stands against the best of the published ones, in
// geometric means over n cases.
type verdict struct {
	tests    float64 // of the tests of the best
	size     float64 // of the size the best leaves
	smallest float64 // of the smallest that one of them leaves
	fewer    gain    // tests, as a difference
	n        int
	left     []string // cases that are left out, as a run there timed out
}

// judge compares a variant with the best by tests of a set, case by case. Cases
// where the variant or all of the set timed out are left out; those of the set
// that timed out are not the best.
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

// judgement is the table of verdicts on all variants that have something in
// common with the set.
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

// present returns those of the published ones that the grid has.
func (g *grid) present() (set []variant) {
	for _, v := range published {
		v.Driver = g.driver
		if _, ok := g.cells[v]; ok {
			set = append(set, v)
		}
	}
	return set
}
