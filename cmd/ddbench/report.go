package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func reportCommand() *cobra.Command {
	var r reportFlags
	c := &cobra.Command{
		Use:   "report [flags] DIR",
		Short: "Make tables, plots and tests of significance of the runs in DIR",
		Long: `Make tables, plots and tests of significance of the runs in DIR.

The report is DIR/report/report.md, with plots as SVG and all figures as CSV beside
it. * marks runs that timed out; their tests and seconds are not compared.`,
		Example: "  ddbench report out --baseline ddmin --against wddmin",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("one folder of results is needed")
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
	c.Flags().StringVar(&r.baseline, "baseline", "", "compare with this `algorithm`, as the tables name it (default each with each; of more than eight the published ones)")
	c.Flags().StringVar(&r.against, "against", "", "compare this `algorithm` only")
	c.Flags().StringVar(&r.out, "out", "", "write the report into this folder `DIR` (default DIR/report)")
	return c
}

// manyVariants are too many to compare each with each: then the published are.
const manyVariants = 8

// reportFlags say what a report is about.
type reportFlags struct{ baseline, against, out string }

// write writes the whole report.
func (r reportFlags) write(grids []*grid) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return environmentError("make the report", err)
	}
	figures := &table{head: []string{"driver", "algorithm", "case", "tokens before", "tokens left", "tests", "seconds", "tokens deleted per second", "timed out", "repetitions"}}
	var b strings.Builder
	b.WriteString("# Report\n")
	for _, g := range grids {
		if err := r.section(&b, g); err != nil {
			return err
		}
		g.figures(figures)
	}
	var csv bytes.Buffer
	err := figures.writeCSV(&csv)
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

// section writes what there is about a driver.
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
	if t := g.improvements(as, bs); len(t.rows) > 0 {
		fmt.Fprintf(b, "\n### %s, changes\nIn per cent, in the geometric mean over n cases, with the p-value of Wilcoxon's signed-rank test.\n\n%s", g.driver, t)
	}
	if set := g.present(); len(set) > 1 {
		fmt.Fprintf(b, "\n### %s, against the best of %v\nThe best is the one with the fewest tests on the case.\n\n%s", g.driver, set, g.judgement(set))
	}
	images, err := g.plots(r.out, as[0])
	for _, image := range images {
		fmt.Fprintf(b, "\n![%s](%s)\n", image, image)
	}
	return err
}

// subjects is the table of a metric: cases and variants, and the geometric mean
// over the cases that all variants have.
func (g *grid) subjects(m metric) *table {
	t := &table{head: []string{m.name}}
	for _, v := range g.variants {
		t.head = append(t.head, v.String())
	}
	for _, name := range g.cases {
		row := []string{name}
		for _, v := range g.variants {
			row = append(row, m.show(g.cells[v][name]))
		}
		t.add(row...)
	}
	all := m.comparable(g, g.variants...)
	row := []string{fmt.Sprintf("geometric mean of %d", len(all))}
	for _, v := range g.variants {
		if len(all) == 0 {
			row = append(row, "—")
			continue
		}
		row = append(row, fmt.Sprintf(m.form, geometric(m.values(g, v, all))))
	}
	t.add(row...)
	return t
}

// show writes a cell, with a mark if it timed out.
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

// improvements is the table of what changes with one of the variants bs in the
// place of one of as.
func (g *grid) improvements(as, bs []variant) *table {
	t := &table{head: []string{"change"}}
	for _, m := range metrics {
		t.head = append(t.head, m.name)
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
			t.add(row...)
		}
	}
	return t
}

// figures adds a row for each cell.
func (g *grid) figures(t *table) {
	for _, v := range g.variants {
		for _, name := range g.cases {
			c, ok := g.cells[v][name]
			if !ok {
				continue
			}
			t.add(g.driver, v.String(), name, fmt.Sprint(c.runs[0].TokensBefore), fmt.Sprintf("%.4g", c.size), fmt.Sprintf("%.6g", c.tests),
				fmt.Sprintf("%.6g", c.seconds), fmt.Sprintf("%.6g", c.speed), fmt.Sprint(c.timedOut), fmt.Sprint(len(c.runs)))
		}
	}
}
