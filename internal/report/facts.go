// Package report renders the report on a reduction: as Markdown for a bug tracker, and as a
// self-contained HTML page.
package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Facts is the content of a report. Fields with the zero value are left out.
type Facts struct {
	Input  []string // names of the reduced files
	Before Size     // zero without a reduction
	After  Size     // total
	Early  string   // reason of an early end, as "it was interrupted"
	Given  string   // the user's command, if that of the first run differs
	Kind   string   // kind of the failure, as "internal compiler error"
	Title  string   // title of the failure, one line
	Runs   []Run    // the failing command; for wrong code two that differ, the good one first
	Files  []File   // result, main file first

	Guards    []string // validity checks of the result, as "accepted by clang-14"
	Compilers []Compiler
	Where     []Fact // place of the bug, as its first bad pass
	Others    []Other
	Explorer  Link     // Compiler Explorer
	Machine   []Fact   // the system and its tools
	Tools     []Run    // commands that print how the tools were built
	Course    *Course  // may be nil
	Loop      string   // command that repeats a flaky failure until it shows
	Again     string   // command that repeats the report
	Whittle   string   // version
	Notes     []string // other sentences
}

type Link struct{ Text, URL string }

// isLink reports whether the URL is safe in HTML and Markdown without escapes.
func (l Link) isLink() bool {
	return strings.HasPrefix(l.URL, "https://") && !strings.ContainsAny(l.URL, " \t\r\n<>\"\\")
}

// A Run is a command and its output.
type Run struct {
	Command string // with the arguments that the failure needs
	Output  []string
}

// given returns the user's command, unless a run has the same.
func (f Facts) given() string {
	if slices.ContainsFunc(f.Runs, func(r Run) bool { return r.Command == f.Given }) {
		return ""
	}
	return f.Given
}

type Size struct{ Tokens, Bytes int }

type File struct {
	Name, Text string
	Language   string // whittle's name of it
}

// A Compiler is a compiler that was tried on the result.
type Compiler struct {
	Name, Version string
	Command       string
	Without       []string // arguments that it does not know
	Verdict       Verdict
	Detail        string // as the title of another failure, or why it cannot run
}

func (c Compiler) without() string {
	return line(strings.Join(c.Without, " "), mostLine)
}

func (c Compiler) cells() string { return c.Name + c.Version + c.Detail + c.without() }

// A Verdict is the outcome of a compiler on a file.
type Verdict int

const (
	HasBug Verdict = iota
	FailsElse
	Accepts
	Right
	Rejects
	Hangs
	CannotRun
)

func (v Verdict) String() string {
	return [...]string{"has the bug", "another failure", "accepts it", "does it right", "rejects it", "does not end",
		"cannot be run"}[v]
}

// A Fact is a named detail.
type Fact struct {
	Name string // as in "first bad pass"
	Text string
	Code bool // the text is code
}

func (x Fact) cells() string { return x.Name + x.Text }

// An Other is another failure that the reduction has met.
type Other struct {
	Title string
	Path  string // file with the failure
	Size  Size
}

func times(n int, what string) string {
	return humanize.Comma(int64(n)) + " " + english.PluralWord(n, what, "")
}

// String omits tokens if they are unknown.
func (s Size) String() string {
	if s.Tokens == 0 && s.Bytes > 0 {
		return times(s.Bytes, "byte")
	}
	return times(s.Tokens, "token") + " (" + times(s.Bytes, "byte") + ")"
}

func took(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// reduced returns "" without a reduction.
func (f Facts) reduced() string {
	if f.Before == (Size{}) {
		return ""
	}
	s := fmt.Sprintf("Reduced from %s to %s", f.Before, f.After)
	if f.Course != nil {
		s += fmt.Sprintf(", by %s in %s", times(f.Course.Tests, "test"), took(f.Course.Elapsed))
	}
	if f.Early != "" {
		s += "; " + line(f.Early, mostLine) + ", so more may go"
	}
	return s + "."
}

// A Course is the progress of a reduction.
type Course struct {
	Steps   []Step // accepted candidates, in order; if there are many, every nth
	Last    []Change
	Tests   int
	Elapsed time.Duration
}

// A Step is the state of a reduction after an accepted candidate.
type Step struct {
	Pass   string
	Tests  int // number of tests so far
	After  time.Duration
	Tokens int
}

type Change struct {
	Step
	Before int    // tokens before
	Diff   string // unified, without its header
	Long   bool   // the files are too long to compare
}
