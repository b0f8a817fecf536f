package main

import (
	"fmt"

	"whittle/bench/internal/analysis"
	"whittle/bench/internal/page"
)

// queriesTable classifies ddmin's tests: CDD paper, §IV-F.
func queriesTable(_ *evaluation, grids []*grid) string {
	t := page.NewTable("driver, tests", "number", "share", "succeed", "rate", "paper's share", "paper's rate")
	for _, g := range grids {
		for _, v := range g.variants {
			var sum analysis.Queries
			other := analysis.Asked{}
			for _, name := range g.shared(v) {
				r := g.cells[v][name].runs[0]
				q := r.Queries
				other.Replacements += r.Asked.Replacements
				other.Other += r.Asked.Other
				sum.Complement.Join(q.Complement)
				sum.Revisit.Join(q.Revisit)
				sum.Other.Join(q.Other)
				sum.Empty.Join(q.Empty)
			}
			all := sum.Complement
			all.Join(sum.Revisit)
			all.Join(sum.Other)
			row := func(name string, y analysis.Tally, share, rate string) {
				t.Show(g.driver+", "+v.Algorithm+" "+name, y.Tests, percent(y.Tests, all.Tests),
					y.Successes, percent(y.Successes, y.Tests), share, rate)
			}
			if v.Algorithm == "ddmin" {
				row("complement", sum.Complement, "54.48%", "<0.01%")
				row("revisit", sum.Revisit, "18.96%", "0.13%")
				row("other", sum.Other, "26.56%", "4.98%")
			}
			row("all", all, "100%", map[string]string{"ddmin": "1.35%", "probdd": "4.28%"}[v.Algorithm])
			row("driver: empty list", sum.Empty, "", "")
			for _, b := range []struct {
				name  string
				tests int
			}{{"replacements", other.Replacements}, {"other passes", other.Other}} {
				if b.tests > 0 {
					t.Show(g.driver+", "+v.Algorithm+" driver: "+b.name, b.tests, percent(b.tests, all.Tests), "", "", "", "")
				}
			}
		}
	}
	return t.String()
}

func percent(part, whole int) string {
	if whole == 0 {
		return "—"
	}
	return fmt.Sprintf("%.2f%%", 100*float64(part)/float64(whole))
}

// minimality returns runs of ProbDD and CDD followed by Each, on few cases.
func minimality(e *evaluation) []work {
	w := e.all([]string{"probdd" + andEach, "cdd" + andEach}, defaultP0)
	w.cases = e.few()
	return []work{w}
}

// minimalityTable counts calls whose result is not 1-minimal: CDD paper, §IV-G.
func minimalityTable(_ *evaluation, grids []*grid) string {
	t := page.NewTable("driver, algorithm", "calls", "not 1-minimal", "share", "items that could go, of each",
		"paper's calls", "paper's share", "paper's items")
	paper := map[string][3]string{"hdd probdd+each": {"6,871", "1.1%", "1.49"}}
	for _, g := range grids {
		for _, v := range g.variants {
			var sum analysis.Minimal
			for _, name := range g.shared(v) {
				m := g.cells[v][name].runs[0].Minimal
				sum.Calls, sum.Violations, sum.Items = sum.Calls+m.Calls, sum.Violations+m.Violations, sum.Items+m.Items
			}
			items := "—"
			if sum.Violations > 0 {
				items = fmt.Sprintf("%.2f", float64(sum.Items)/float64(sum.Violations))
			}
			p := paper[g.driver+" "+v.Algorithm]
			t.Show(g.driver+", "+v.Algorithm, sum.Calls, sum.Violations, percent(sum.Violations, sum.Calls), items,
				p[0], p[1], p[2])
		}
	}
	return t.String()
}

func randomness(e *evaluation) []work {
	stable, random := e.all([]string{"probdd"}, defaultP0), e.all([]string{"probdd" + shuffled}, defaultP0)
	random.repetitions = e.repetitions
	stable.drivers, random.drivers = []string{"hdd"}, []string{"hdd"}
	stable.cases = e.few()
	random.cases = stable.cases
	return []work{stable, random}
}

func randomnessTable(e *evaluation, grids []*grid) string {
	head := fmt.Sprintf("instead of the stable order, %d seeds", e.repetitions)
	return versus(grids, "probdd", []string{"probdd" + shuffled}, head, map[string][3]string{
		"hdd probdd" + shuffled: {"+0.4%, p = 0.87", "+5.7%, p = 0.10", "+5.8%, p = 0.15"}})
}

func cddTable(_ *evaluation, grids []*grid) string {
	first := versus(grids, "ddmin", []string{"probdd", "cdd"}, "instead of ddmin", map[string][3]string{
		"hdd probdd": {"+0.9%, p = 0.32", "−52.44%", "−27.01%"}, "hdd cdd": {"+1.7%", "−52.04%", "−29.91%"}})
	second := versus(grids, "probdd", []string{"cdd"}, "instead of probdd", map[string][3]string{
		"hdd cdd": {"+0.9%, p = 0.42", "+0.8%, p = 0.70", "−4.0%, p = 0.29"}})
	return first + "\n" + second
}

func versus(grids []*grid, from string, to []string, head string, paper map[string][3]string) string {
	t := page.NewTable(head, "tokens left", "paper", "tests", "paper", "seconds", "paper", "tokens deleted per second")
	for _, g := range grids {
		a, ok := g.one(from)
		for _, name := range to {
			b, okB := g.one(name)
			if !ok || !okB {
				continue
			}
			p := paper[g.driver+" "+name]
			t.Show(g.driver+", "+name, size.compare(g, a, b), p[0], tests.compare(g, a, b), p[1],
				seconds.compare(g, a, b), p[2], speed.compare(g, a, b))
		}
	}
	return t.String()
}
