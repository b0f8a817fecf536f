package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

func reportCommand() *cobra.Command {
	var r reportFlags
	c := &cobra.Command{
		Use:   "report [flags] DIR",
		Short: "Make tables, plots and tests of significance of the runs in DIR",
		Long: `Make tables, plots and tests of significance of the runs in DIR.

The report is DIR/report/report.md, with plots as SVG and all figures as CSV next to
it. * marks runs that timed out; their tests and seconds are not compared.`,
		Example: "  ddbench report out --baseline ddmin --against wddmin",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("expected one folder of results")
			}
			if _, err := os.Stat(filepath.Join(args[0], "runs.jsonl")); err != nil {
				return usagef("%s has no runs; 'ddbench run --results %s' makes them", args[0], args[0])
			}
			s, err := openStore(args[0])
			if err != nil {
				return err
			}
			defer s.close()
			if r.out == "" {
				r.out = s.path("report")
			}
			if err := r.write(newGrids(s.all())); err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout(), filepath.Join(r.out, "report.md"))
			return nil
		},
	}
	c.Flags().StringVar(&r.baseline, "baseline", "", "compare with this `algorithm`, by its name in the tables "+
		"(default: compare all pairs, or the published ones of more than eight)")
	c.Flags().StringVar(&r.against, "against", "", "compare only this `algorithm`")
	c.Flags().StringVar(&r.out, "out", "", "write the report into this folder `DIR` (default DIR/report)")
	return c
}

// manyVariants limits comparisons of all pairs; beyond, only published ones are compared.
const manyVariants = 8

type reportFlags struct{ baseline, against, out string }

func (r reportFlags) write(grids []*grid) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return environmentError("make the report", err)
	}
	figures := page.NewTable("driver", "algorithm", "case", "tokens before", "tokens left", "tests", "seconds",
		"tokens deleted per second", "timed out", "repetitions")
	var b strings.Builder
	b.WriteString("# Report\n")
	for _, g := range grids {
		if err := r.section(&b, g); err != nil {
			return err
		}
		g.figures(figures)
	}
	var csv bytes.Buffer
	err := figures.WriteCSV(&csv)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.out, "figures.csv"), csv.Bytes(), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(r.out, "report.md"), []byte(b.String()), 0o644)
	}
	if err != nil {
		return environmentError("write the report", err)
	}
	return nil
}

func (r reportFlags) section(b *strings.Builder, g *grid) error {
	as, bs := g.variants, g.variants
	if set := g.present(); len(as) > manyVariants && len(set) > 1 {
		as, bs = set, set
	}
	for _, choice := range []struct {
		name string
		list *[]variant
	}{{r.baseline, &as}, {r.against, &bs}} {
		if choice.name == "" {
			continue
		}
		if *choice.list = g.find(choice.name); len(*choice.list) == 0 {
			return usagef("no runs of %s with %s; there are %v", g.driver, choice.name, g.variants)
		}
	}
	fmt.Fprintf(b, "\n## %s\n", g.driver)
	for _, m := range metrics {
		fmt.Fprintf(b, "\n### %s, %s\n\n%s", g.driver, m.name, g.subjects(m))
	}
	if t := g.improvements(as, bs); len(t.Rows) > 0 {
		fmt.Fprintf(b, "\n### %s, changes\n", g.driver)
		b.WriteString("In per cent, in the geometric mean over n cases, with the p-value of Wilcoxon's signed-rank test.\n\n")
		b.WriteString(t.String())
	}
	if set := g.present(); len(set) > 1 {
		fmt.Fprintf(b, "\n### %s, against the best of %v\n", g.driver, set)
		fmt.Fprintf(b, "The best is the one with the fewest tests on the case.\n\n%s", g.judgement(set))
	}
	images, err := g.plots(r.out, as[0])
	for _, image := range images {
		fmt.Fprintf(b, "\n![%s](%s)\n", image, image)
	}
	return err
}

func (g *grid) subjects(m metric) *page.Table {
	t := page.NewTable(m.name)
	for _, v := range g.variants {
		t.Head = append(t.Head, v.String())
	}
	for _, name := range g.cases {
		row := []string{name}
		for _, v := range g.variants {
			row = append(row, m.show(g.cells[v][name]))
		}
		t.Add(row...)
	}
	all := m.comparable(g, g.variants...)
	row := []string{fmt.Sprintf("geometric mean of %d", len(all))}
	for _, v := range g.variants {
		if len(all) == 0 {
			row = append(row, "—")
			continue
		}
		row = append(row, fmt.Sprintf(m.form, stats.Geometric(m.values(g, v, all))))
	}
	t.Add(row...)
	return t
}

func (m metric) show(c cell) string {
	if c.runs == nil {
		return "—"
	}
	mark := ""
	if c.timedOut {
		mark = "*"
	}
	return fmt.Sprintf(m.form, m.of(c)) + mark
}

func (g *grid) improvements(as, bs []variant) *page.Table {
	t := page.NewTable("change")
	for _, m := range metrics {
		t.Head = append(t.Head, m.name)
	}
	for i, a := range as {
		for _, b := range bs {
			if a == b || len(as) > 1 && len(bs) > 1 && slices.Index(as, b) < i {
				continue
			}
			row := []string{fmt.Sprintf("%s instead of %s", b, a)}
			for _, m := range metrics {
				row = append(row, m.compare(g, a, b).String())
			}
			t.Add(row...)
		}
	}
	return t
}

func (g *grid) figures(t *page.Table) {
	for _, v := range g.variants {
		for _, name := range g.cases {
			c, ok := g.cells[v][name]
			if !ok {
				continue
			}
			digits := func(x float64) string { return fmt.Sprintf("%.6g", x) }
			t.Show(g.driver, v, name, c.runs[0].TokensBefore, fmt.Sprintf("%.4g", c.size), digits(c.tests),
				digits(c.seconds), digits(c.speed), c.timedOut, len(c.runs))
		}
	}
}
