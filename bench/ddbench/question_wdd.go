package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"whittle/bench/internal/page"
)

// A group of cases, as in the papers.
type group struct {
	name      string
	languages []string // nil means all
}

var groups = []group{{"all", nil}, {"C and C++", []string{"c", "cpp"}}, {"XML", []string{"xml"}}}

func (g *grid) part(in group) *grid {
	p := *g
	p.cases = slices.DeleteFunc(slices.Clone(g.cases), func(name string) bool {
		for _, cells := range g.cells {
			if c, ok := cells[name]; ok {
				return in.languages != nil && !slices.Contains(in.languages, c.runs[0].Language)
			}
		}
		return true
	})
	return &p
}

func (g *grid) one(algorithm string) (variant, bool) {
	found := g.find(algorithm)
	if len(found) == 0 {
		return variant{}, false
	}
	return found[0], true
}

func subjectsTable(e *evaluation, grids []*grid) string {
	t := page.NewTable("case", "language", "bytes", "tokens", "by a C lexer", "smallest known", "ms per test")
	for _, c := range e.cases {
		var some []record
		tests, time := 0, 0.0
		for _, g := range grids {
			for _, v := range g.variants {
				for _, r := range g.cells[v][c.Name].runs {
					some, tests, time = append(some, r), tests+r.Tests, time+r.TestSeconds
				}
			}
		}
		if len(some) == 0 {
			continue
		}
		known := ""
		if c.Known > 0 {
			known = fmt.Sprint(c.Known)
		}
		t.Show(c.Name, c.language.Name, len(c.content), some[0].TokensBefore, some[0].CountBefore, known,
			fmt.Sprintf("%.0f", 1000*time/float64(max(1, tests))))
	}
	return t.String()
}

// correlationTable is RQ1 of the WDD paper: the mean over cases of the mean ρ of their lists.
func correlationTable(_ *evaluation, grids []*grid) string {
	paper := map[string]string{
		"hdd C and C++": "−0.41", "hdd XML": "−0.83", "perses C and C++": "−0.14", "perses XML": "−0.36",
	}
	t := page.NewTable("driver, cases", "n", "lists with ρ", "without", "mean ρ", "cases with ρ > 0", "paper's mean ρ")
	for _, g := range grids {
		for _, in := range groups {
			part := g.part(in)
			v, _ := part.one("ddmin")
			var means []float64
			lists, undefined, positive := 0, 0, 0
			for _, name := range part.shared(v) {
				d := part.cells[v][name].runs[0].Deletion
				lists, undefined = lists+d.Lists, undefined+d.Undefined
				if d.Lists == 0 {
					continue
				}
				means = append(means, d.Mean)
				if d.Mean > 0 {
					positive++
				}
			}
			name := g.driver + " " + in.name
			if len(means) == 0 {
				continue
			}
			mean := fmt.Sprintf("%+.2f", stat.Mean(means, nil))
			t.Show(g.driver+", "+in.name, len(means), lists, undefined, mean, positive, paper[name])
		}
	}
	return t.String()
}

// A duel compares two algorithms, with the paper's numbers for size and seconds by driver and
// cases.
type duel struct {
	from, to string
	paper    map[string][3]string // size, seconds, tokens per second
}

var (
	rq2 = duel{"ddmin", "wddmin", map[string][3]string{
		"hdd all": {"−9.12%", "−51.31%", "+115.57%"}, "hdd C and C++": {"−7.81%", "−53.92%"},
		"hdd XML":    {"−16.51%", "−16.86%"},
		"perses all": {"−0.96%", "−7.47%", "+5.40%"}, "perses C and C++": {"−1.04%", "−9.01%"}, "perses XML": {"−0.27%",
			"−1.67%"},
	}}
	rq3 = duel{"probdd", "wprobdd", map[string][3]string{
		"hdd all": {"−13.40%", "−11.98%", "+51.90%"}, "hdd C and C++": {"−13.91%", "−10.89%"},
		"hdd XML":    {"−9.74%", "−14.31%"},
		"perses all": {"−2.20%", "−9.72%", "+1.03%"}, "perses C and C++": {"−2.43%", "−13.89%"}, "perses XML": {"+0.32%",
			"−1.35%"},
	}}
)

func (d duel) table(_ *evaluation, grids []*grid) string {
	t := page.NewTable(d.to+" instead of "+d.from, "tokens left", "paper", "tests", "seconds", "paper",
		"tokens deleted per second", "paper")
	for _, g := range grids {
		for _, in := range groups {
			part := g.part(in)
			a, okA := part.one(d.from)
			b, okB := part.one(d.to)
			if !okA || !okB || len(part.shared(a, b)) == 0 {
				continue
			}
			paper := d.paper[g.driver+" "+in.name]
			t.Show(g.driver+", "+in.name, size.compare(part, a, b), paper[0], tests.compare(part, a, b),
				seconds.compare(part, a, b), paper[1], speed.compare(part, a, b), paper[2])
		}
	}
	return t.String()
}
