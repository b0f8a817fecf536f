package main

import (
	"fmt"

	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

// p0Values are the values of the ProbDD paper, §5.1.
var p0Values = []float64{0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3}

func probabilities(e *evaluation) []work {
	w := e.all([]string{"ddmin", "probdd"}, p0Values...)
	w.cases = e.few()
	return []work{w}
}

// p0Table shows geometric means over the cases that all p0 have.
func p0Table(_ *evaluation, grids []*grid) string {
	t := page.NewTable("driver, p0")
	for _, m := range metrics {
		t.Head = append(t.Head, m.name, "against ddmin")
	}
	for _, g := range grids {
		base, ok := g.one("ddmin")
		if !ok {
			continue
		}
		for _, v := range g.variants {
			name := "ddmin"
			if v != base {
				name = fmt.Sprint(v.P0)
			}
			row := []string{g.driver + ", " + name}
			for _, m := range metrics {
				cases := m.comparable(g, g.variants...)
				if len(cases) == 0 {
					row = append(row, "—", "—")
					continue
				}
				own, ddmin := stats.Geometric(m.values(g, v, cases)), stats.Geometric(m.values(g, base, cases))
				row = append(row, fmt.Sprintf(m.form, own), change(own, ddmin))
			}
			t.Add(row...)
		}
	}
	return t.String()
}

var others = []string{"activecoarsen", "chisel"}

func coarsening(e *evaluation) []work {
	fixed, random := e.all([]string{"probdd", "chisel"}, defaultP0), e.all([]string{"activecoarsen"}, defaultP0)
	random.repetitions = e.repetitions
	fixed.cases = e.few()
	random.cases = fixed.cases
	return []work{fixed, random}
}

// The paper compares ProbDD with the others: a result 58.68% smaller in 58.77% less time than
// ActiveCoarsen is, seen from the other side, 142.0% larger in 142.5% more time.
func coarseningTable(e *evaluation, grids []*grid) string {
	head := fmt.Sprintf("instead of probdd, %d seeds of activecoarsen", e.repetitions)
	return versus(grids, "probdd", others, head, map[string][3]string{
		"hdd activecoarsen": {"+142.0%", "", "+142.5%"}})
}
