package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
)

// Limits in bytes of the parts of a page with their tags: less than 300,000 in total.
const (
	pageFiles    = 90_000
	pageShown    = 24_000
	pageTool     = 8_000
	pageDiffs    = 40_000 // all changes together
	pageDiff     = 12_000 // one change
	pageMarkdown = 40_000
	pageList     = 8_000
	leastFile    = 1_000 // one of several files
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = template.Must(template.New("page").Parse(pageText))

// HTML writes a report as a self-contained page of less than 300,000 bytes, without scripts and
// external references.
func HTML(w io.Writer, f Facts) error {
	v := view{
		Style: template.CSS(pageStyle), Kind: line(f.Kind, mostLine), Title: line(f.Title, mostLine),
		Name: line(strings.Join(f.Input, ", "), mostLine), Reduced: line(f.reduced(), 2*mostLine),
		Given: line(f.given(), mostCommand), Again: line(f.Again, mostCommand), Whittle: line(f.Whittle, mostLine),
	}
	if v.Title == "" {
		v.Title = "A failure"
	}
	if strings.HasPrefix(v.Title, v.Kind) {
		v.Kind = ""
	}
	if f.Explorer.isLink() {
		v.Explorer = Link{line(f.Explorer.Text, mostLine), f.Explorer.URL}
	}
	v.Figures = f.figures()
	most := pageFiles
	for i, file := range f.Files {
		if i == mostRows || most < leastFile {
			v.Notes = append(v.Notes, times(len(f.Files)-i, "more file")+" left out")
			break
		}
		t := newText(file.Text, most, pageCost)
		t.Name = line(file.Name, mostLine)
		most -= t.cost
		v.Files = append(v.Files, t)
	}
	for _, r := range f.Runs {
		v.Runs = append(v.Runs, newRun(r, pageShown/len(f.Runs)))
	}
	for _, r := range f.tools() {
		v.Tools = append(v.Tools, newRun(r, pageTool/len(f.tools())))
	}
	for _, c := range list(&v, f.Compilers, "compiler", Compiler.cells) {
		v.Compilers = append(v.Compilers, row{Name: line(c.Name, mostLine), Class: classes[c.Verdict],
			Verdict: c.Verdict.String(), Version: line(c.Version, mostCell), Detail: line(c.Detail, mostCell),
			Without: c.without()})
	}
	v.Where, v.Machine = v.short(f.Where), v.short(f.Machine)
	for _, g := range list(&v, f.Guards, "guard", Guard.says) {
		class := "good"
		if !g.Held {
			class = "bad"
		}
		v.Guards = append(v.Guards, row{Class: class, Name: line(g.Name, mostLine), Detail: line(g.Says, mostLine)})
	}
	for _, o := range list(&v, f.Others, "failure", func(o Other) string { return o.Title + o.Path }) {
		v.Others = append(v.Others, row{Name: line(o.Title, mostLine), Detail: line(o.Path, mostLine),
			Version: o.Size.String()})
	}
	for _, text := range list(&v, f.Notes, "note", strings.Clone) {
		v.Notes = append(v.Notes, line(text, mostLine))
	}
	if f.Course.drawable() {
		for _, p := range plots {
			v.Plots = append(v.Plots, p.draw(f.Course))
		}
		v.Last = changes(f.Course.Last)
	}
	var m strings.Builder
	if err := Markdown(&m, f); err != nil {
		return err
	}
	v.Markdown = newText(m.String(), pageMarkdown, pageCost)
	return page.Execute(w, v)
}

// A view is the data of the page template.
type view struct {
	Style                      template.CSS
	Kind, Title, Name, Reduced string
	Given, Again, Whittle      string
	Figures                    []row
	Files, Runs, Tools         []text
	Explorer                   Link
	Markdown                   text
	Compilers, Guards, Others  []row
	Where, Machine             []Fact
	Notes                      []string
	Plots                      []template.HTML
	Last                       []change
}

// A row is an entry of a list or table.
type row struct{ Class, Name, Version, Verdict, Detail, Without string }

// A text is a block of literal lines. The Name of a run is its command.
type text struct {
	Name  string
	Lines []string
	Note  string
	cost  int
}

func newText(s string, most int, by cost) text {
	if s == "" {
		return text{}
	}
	var t text
	t.Lines, t.Note = cut(s, most, by)
	for _, l := range t.Lines {
		t.cost += by(l)
	}
	return t
}

// newRun returns a command and its output, at most most bytes.
func newRun(r Run, most int) text {
	t := newText(strings.Join(r.Output, "\n"), most, pageCost)
	t.Name = line(r.Command, mostCommand)
	return t
}

// classes maps verdicts to CSS classes.
var classes = map[Verdict]string{HasBug: "bad", FailsElse: "odd", Accepts: "good", Right: "good",
	Rejects: "dim", Hangs: "odd", CannotRun: "dim"}

// list returns as many items as fit.
func list[T any](v *view, items []T, what string, line func(T) string) []T {
	shown, more := first(items, pageList, line)
	if more > 0 {
		v.Notes = append(v.Notes, times(more, "more "+what)+" left out")
	}
	return shown
}

// short limits facts to one line each.
func (v *view) short(facts []Fact) (lines []Fact) {
	for _, x := range list(v, facts, "fact", func(x Fact) string { return x.Name + x.Text }) {
		lines = append(lines, Fact{line(x.Name, mostLine), line(x.Text, mostLine), x.Code})
	}
	return lines
}

func (f Facts) figures() (figures []row) {
	add := func(name string, before, after int) {
		figures = append(figures, row{Name: name, Version: humanize.Comma(int64(before)),
			Verdict: humanize.Comma(int64(after)), Detail: share(after, before)})
	}
	if f.Before != (Size{}) {
		add("tokens", f.Before.Tokens, f.After.Tokens)
		add("bytes", f.Before.Bytes, f.After.Bytes)
	}
	if f.Course != nil {
		figures = append(figures,
			row{Name: "tests", Verdict: humanize.Comma(int64(f.Course.Tests)), Detail: "in " + took(f.Course.Elapsed)})
	}
	return figures
}

func share(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g%% left", 100*float64(part)/float64(whole))
}

// A change is one of the last steps in a page.
type change struct {
	Pass          string
	Before, After string
	Tests         string
	Lines         []row
	Note          string
	Open          bool
}

// changes returns the last steps, newest first.
func changes(last []Change) (shown []change) {
	most := pageDiffs
	for i := len(last) - 1; i >= 0 && len(shown) < mostRows; i-- {
		c := last[i]
		s := change{Pass: line(c.Pass, mostLine), Before: times(c.Before, "token"),
			After: humanize.Comma(int64(c.Tokens)), Tests: humanize.Comma(int64(c.Tests)), Open: len(shown) == 0}
		t := newText(c.Diff, min(most, pageDiff), pageCost)
		most -= t.cost
		s.Note = t.Note
		switch {
		case c.Long:
			s.Note = "too long to be shown"
		case c.Diff == "":
			s.Note = "no line differs"
		}
		for _, l := range t.Lines {
			s.Lines = append(s.Lines, row{Class: diffClass(l), Name: l})
		}
		shown = append(shown, s)
	}
	return shown
}

// diffClass returns the CSS class of a line of a diff.
func diffClass(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return "add"
	case strings.HasPrefix(line, "-"):
		return "del"
	case strings.HasPrefix(line, "@@"):
		return "at"
	}
	return "c"
}
