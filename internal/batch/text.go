package batch

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"whittle/internal/printable"
	"whittle/internal/view"
)

func count(n int) string { return humanize.Comma(int64(n)) }

// Line returns the progress in one line.
func (b *Batch) Line() string {
	phases, tests := map[Phase]int{}, 0
	for _, r := range b.Runs {
		s := r.State()
		phases[s.Phase]++
		tests += s.Tests
	}
	use, running := b.Workers.Use()
	open := phases[Opening] + phases[Reducing]
	return fmt.Sprintf("%d of %s done, %d open, %d of %s busy, %s tests, %v",
		len(b.Runs)-phases[Waiting]-open, english.Plural(len(b.Runs), "case", ""), open,
		running, english.Plural(use.Jobs, "job", ""), count(tests), use.Time.Round(time.Second))
}

// Rows returns a table of open cases with at most so many lines.
func (b *Batch) Rows(most int) []string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	rows, more := 0, 0
	for _, r := range b.Runs {
		s := r.State()
		if s.Phase != Opening && s.Phase != Reducing {
			continue
		}
		if rows++; rows >= most {
			more++
			continue
		}
		tokens := "being opened"
		if s.AtAll > 0 {
			tokens = fmt.Sprintf("%s/%s tokens", count(s.Tokens), count(s.AtAll))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", printable.Line(r.Name), tokens,
			english.Plural(s.Tests, "test", ""), english.Plural(s.Jobs, "job", ""), s.Pass)
	}
	if more > 0 {
		fmt.Fprintf(w, "%d more\n", more)
	}
	w.Flush()
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

func (r *Run) describe() string {
	s := r.State()
	switch {
	case s.Phase == Failed:
		return s.Err.Error()
	case s.Phase == Same:
		return "not reduced, for it fails as another does: " + s.Title
	case s.Result.Path == "":
		return "not begun"
	}
	end := ""
	if s.Phase == Stopped {
		end = "; stopped early, more may go"
	}
	return fmt.Sprintf("%s -> %s tokens, %s bytes, %s in %v: %s%s", count(s.AtAll), count(s.Result.Tokens),
		count(s.Result.Bytes), view.Tests(s.Tests, s.Replayed), s.Ended.Sub(s.Began).Round(100*time.Millisecond),
		printable.Line(s.Result.Path), end)
}

var ends = map[Phase]string{Reduced: "reduced", Stopped: "stopped early", Failed: "failed", Same: "the same"}

// Summary describes the whole batch in one line.
func (b *Batch) Summary() string {
	var phases [Same + 1]int
	tests, replayed, vain := 0, 0, 0
	for _, r := range b.Runs {
		s := r.State()
		phases[s.Phase]++
		tests, replayed, vain = tests+s.Tests, replayed+s.Replayed, vain+s.Vain
	}
	var parts []string
	for p := Reduced; p <= Same; p++ {
		if phases[p] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", phases[p], ends[p]))
		}
	}
	use, _ := b.Workers.Use()
	vain += use.Taken
	text := fmt.Sprintf("%s: %s in %v; %s tests, %s of them from journals, and %s in vain",
		english.Plural(len(b.Runs), "case", ""), strings.Join(parts, ", "), use.Time.Round(100*time.Millisecond),
		count(tests), count(replayed), count(vain))
	text += fmt.Sprintf("; %s busy for %s of the time", english.Plural(use.Jobs, "job", ""), percent(use))
	if early := b.Early(); len(b.Runs) > lastCases && early.Time > 0 {
		text += fmt.Sprintf(", %s until no more than two cases were left", percent(early))
	}
	return text
}

func percent(u Use) string { return fmt.Sprintf("%.0f%%", 100*u.Share()) }

// Print prints the groups of results, then the failed cases.
func (b *Batch) Print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, g := range Groups(b.Runs) {
		first := g.Forms[0][0]
		title := cmp.Or(g.Title, "what its test looks for: "+printable.Line(first.Name))
		fmt.Fprintf(w, "%s (%s)\n", printable.String(title), english.Plural(g.size(), "case", ""))
		for _, f := range g.Forms {
			for i, r := range f {
				result, mark := r.State().Result, ""
				if i > 0 && f.exact(r) {
					mark = "\tthe same bytes"
				} else if i > 0 {
					mark = "\tthe same but for names and white space"
				}
				fmt.Fprintf(w, "  %s\t%s\t%s%s\n", english.Plural(result.Tokens, "token", ""),
					english.Plural(result.Bytes, "byte", ""), printable.Line(result.Path), mark)
			}
		}
		for _, r := range b.Runs {
			if s := r.State(); s.Phase == Same && s.Title == g.Title {
				fmt.Fprintf(w, "  not reduced\t\t%s\n", printable.Line(r.Name))
			}
		}
	}
	for _, r := range b.Runs {
		if s := r.State(); s.Phase == Failed {
			line, _, _ := strings.Cut(s.Err.Error(), "\n")
			fmt.Fprintf(w, "failed: %s: %s\n", printable.Line(r.Name), printable.Line(line))
		}
	}
	return w.Flush()
}
