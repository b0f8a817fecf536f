package workers

import (
	"fmt"

	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

// Runs are the runs of a case. The first has one worker.
type Runs struct {
	Case   string
	Runs   []Run
	Stages Stages // of the first run, if computed
}

func (r Runs) alone() Run { return r.Runs[0] }

// Table compares the runs of cases with the runs with one worker.
func Table(cases []Runs) *page.Table {
	t := page.NewTable("case", "workers", "steps", "times fewer", "tests", "times more", "cancelled", "busy",
		"tokens left", "bytes")
	var workers []int
	fewer, more := map[int][]float64{}, map[int][]float64{}
	tokens, bytes := map[int][]float64{}, map[int][]float64{} // of the results
	for _, c := range cases {
		for _, r := range c.Runs {
			if _, known := fewer[r.Workers]; !known {
				workers = append(workers, r.Workers)
			}
			f := c.alone().Steps() / max(r.Steps(), 1e-9)
			m := ratio(r.Tests, c.alone().Tests)
			fewer[r.Workers] = append(fewer[r.Workers], f)
			more[r.Workers] = append(more[r.Workers], m)
			tokens[r.Workers] = append(tokens[r.Workers], ratio(r.Tokens, c.alone().Tokens))
			bytes[r.Workers] = append(bytes[r.Workers], ratio(len(r.File), len(c.alone().File)))
			t.Show(c.Case, r.Workers, steps(r.Steps()), fmt.Sprintf("%.1f", f), r.Tests, fmt.Sprintf("%.2f", m),
				r.Cancelled, fmt.Sprintf("%.1f", r.Busy), r.Tokens, len(r.File))
		}
	}
	if len(cases) > 1 {
		for _, w := range workers {
			t.Show("geometric mean", w, "", fmt.Sprintf("%.1f", stats.Geometric(fewer[w])), "",
				fmt.Sprintf("%.2f", stats.Geometric(more[w])), "", "",
				fmt.Sprintf("%.3f", stats.Geometric(tokens[w])), fmt.Sprintf("%.3f", stats.Geometric(bytes[w])))
		}
	}
	return t
}

// ratio divides sizes or counts, with a minimum of 1 each.
func ratio(a, b int) float64 { return float64(max(a, 1)) / float64(max(b, 1)) }

func steps(s float64) string {
	if s == float64(int(s)) {
		return fmt.Sprint(int(s))
	}
	return fmt.Sprintf("%.1f", s)
}

// PassTable shows each pass with one worker, and its steps with each number of workers.
func PassTable(c Runs) *page.Table {
	head := []string{"pass of " + c.Case, "tests", "accepted", "tokens removed"}
	for _, r := range c.Runs {
		head = append(head, fmt.Sprintf("steps with %d", r.Workers))
	}
	t := page.NewTable(head...)
	alone := c.alone()
	for i, p := range alone.Passes {
		if p.Tests == 0 {
			continue
		}
		row := []any{p.Name, p.Tests, p.Accepted, p.Removed}
		for _, r := range c.Runs {
			cell := "–"
			if i < len(r.Passes) && r.Passes[i].Name == p.Name {
				cell = steps(r.Passes[i].Time.Seconds() / Step.Seconds())
			}
			row = append(row, cell)
		}
		t.Show(row...)
	}
	row := []any{"all", alone.Tests, alone.Accepted, alone.TokensAtAll - alone.Tokens}
	for _, r := range c.Runs {
		row = append(row, steps(r.Steps()))
	}
	t.Show(row...)
	return t
}

// BoundTable shows information, stages and the lower bounds that follow, for one worker.
func BoundTable(cases []Runs, workers []int) *page.Table {
	head := []string{"case", "tests", "bits", "bits expected", "changes", "alone", "stages", "last tests"}
	for _, w := range workers {
		if w > 1 {
			head = append(head, fmt.Sprintf("bits / %d", w), fmt.Sprintf("bits / log2(%d)", w+1))
		}
	}
	t := page.NewTable(head...)
	for _, c := range cases {
		b, s := c.alone().Bits, c.Stages
		alone := 0
		if len(s.Alone) > 0 {
			alone = s.Alone[0]
		}
		stages := fmt.Sprint(len(s.Alone))
		if s.Left > 0 {
			stages += fmt.Sprintf(", and %d dependent changes", s.Left)
		}
		row := []any{c.Case, b.Tests, fmt.Sprintf("%.0f", b.Actual), fmt.Sprintf("%.0f", b.Expected), s.Changes, alone,
			stages, b.Proof}
		for _, w := range workers {
			if w > 1 {
				row = append(row, fmt.Sprintf("%.1f", b.Independent(w)), fmt.Sprintf("%.1f", b.Ahead(w)))
			}
		}
		t.Show(row...)
	}
	return t
}
