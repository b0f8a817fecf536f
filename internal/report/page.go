package report

import (
	"cmp"
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

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"line":    func(s string) string { return line(s, mostLine) },
	"cell":    func(s string) string { return line(s, mostCell) },
	"command": func(s string) string { return line(s, mostCommand) },
	"class":   func(v Verdict) string { return classes[v] },
	"without": Compiler.without,
}).Parse(pageText))

// HTML writes a report as a self-contained page of less than 300,000 bytes, without scripts and
// external references.
func HTML(w io.Writer, f Facts) error {
	v := view{
		Facts: Facts{Given: f.given(), Loop: f.Loop, Again: f.Again, Whittle: f.Whittle},
		Style: template.CSS(pageStyle), Title: cmp.Or(line(f.Title, mostLine), "A failure"),
		Name: strings.Join(f.Input, ", "), Reduced: line(f.reduced(), 2*mostLine), Figures: f.figures(),
	}
	if !strings.HasPrefix(v.Title, line(f.Kind, mostLine)) {
		v.Kind = f.Kind
	}
	if f.Explorer.isLink() {
		v.Explorer = f.Explorer
	}
	p := f.fit(pageFiles, pageShown, pageTool, pageCost)
	v.Files, v.Runs, v.Tools = p.Files, p.Runs, p.Tools
	if p.left > 0 {
		v.Notes = append(v.Notes, times(p.left, "more file")+" left out")
	}
	v.Compilers = list(&v, f.Compilers, "compiler", Compiler.cells)
	v.Where, v.Machine = list(&v, f.Where, "fact", Fact.cells), list(&v, f.Machine, "fact", Fact.cells)
	v.Guards = list(&v, f.Guards, "guard", strings.Clone)
	v.Others = list(&v, f.Others, "failure", func(o Other) string { return o.Title + o.Path })
	v.Notes = append(v.Notes, list(&v, f.Notes, "note", strings.Clone)...)
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
	v.Markdown = newText("", m.String(), pageMarkdown, pageCost)
	return page.Execute(w, v)
}

type view struct {
	Facts // as much of the lists as fits

	Style                template.CSS
	Title, Name, Reduced string
	Figures              []figure
	Files, Runs, Tools   []text
	Markdown             text
	Plots                []template.HTML
	Last                 []change
}

type figure struct{ Name, Before, After, Detail string }

// A text is a block of literal lines.
type text struct {
	Name  string
	Lines []string
	Note  string
	cost  int

	language string
}

func newText(name, s string, most int, by cost) text {
	t := text{Name: name}
	if s == "" {
		return t
	}
	t.Lines, t.Note = cut(s, most, by)
	for _, l := range t.Lines {
		t.cost += by(l)
	}
	return t
}

// parts are the parts of a report with literal lines.
type parts struct {
	Files, Runs, Tools []text // the name of a run is its command
	left               int    // files that are left out
}

// fit shortens parts to sizes in bytes.
func (f Facts) fit(files, shown, tool int, by cost) (p parts) {
	for i, file := range f.Files {
		if i == mostRows || files < leastFile {
			p.left = len(f.Files) - i
			break
		}
		t := newText(line(file.Name, mostLine), file.Text, files, by)
		t.language = file.Language
		files -= t.cost
		p.Files = append(p.Files, t)
	}
	runs := func(runs []Run, most int) (all []text) {
		for _, r := range runs {
			all = append(all, newText(line(r.Command, mostCommand), strings.Join(r.Output, "\n"), most/len(runs), by))
		}
		return all
	}
	p.Runs, p.Tools = runs(f.Runs, shown), runs(f.Tools[:min(len(f.Tools), mostTools)], tool)
	return p
}

var classes = map[Verdict]string{HasBug: "bad", FailsElse: "odd", Accepts: "good", Right: "good",
	Rejects: "dim", Hangs: "odd", CannotRun: "dim"}

func list[T any](v *view, items []T, what string, line func(T) string) []T {
	shown, more := first(items, pageList, line)
	if more > 0 {
		v.Notes = append(v.Notes, times(more, "more "+what)+" left out")
	}
	return shown
}

func (f Facts) figures() (figures []figure) {
	add := func(name string, before, after int) {
		figures = append(figures,
			figure{name, humanize.Comma(int64(before)), humanize.Comma(int64(after)), share(after, before)})
	}
	if f.Before != (Size{}) {
		add("tokens", f.Before.Tokens, f.After.Tokens)
		add("bytes", f.Before.Bytes, f.After.Bytes)
	}
	if f.Course != nil {
		figures = append(figures,
			figure{"tests", "", humanize.Comma(int64(f.Course.Tests)), "in " + took(f.Course.Elapsed)})
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
	Lines         []struct{ Class, Text string }
	Note          string
	Open          bool
}

// changes returns the newest first.
func changes(last []Change) (shown []change) {
	most := pageDiffs
	for i := len(last) - 1; i >= 0 && len(shown) < mostRows; i-- {
		c := last[i]
		s := change{Pass: line(c.Pass, mostLine), Before: times(c.Before, "token"),
			After: humanize.Comma(int64(c.Tokens)), Tests: humanize.Comma(int64(c.Tests)), Open: len(shown) == 0}
		t := newText("", c.Diff, min(most, pageDiff), pageCost)
		most -= t.cost
		s.Note = t.Note
		switch {
		case c.Long:
			s.Note = "too long to be shown"
		case c.Diff == "":
			s.Note = "no line differs"
		}
		for _, l := range t.Lines {
			s.Lines = append(s.Lines, struct{ Class, Text string }{diffClass(l), l})
		}
		shown = append(shown, s)
	}
	return shown
}

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
