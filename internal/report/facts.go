// Package report tells what a reduction has found: as Markdown that can be pasted into
// a bug report, and as a page that needs nothing but itself.
package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Facts are what a report tells. What is not known is the zero value, and is not told.
type Facts struct {
	Input    []string // names of what was reduced
	Language string   // as whittle calls it
	Before   Size     // zero if nothing was reduced
	After    Size     // of all that is left
	Early    string   // why the reduction ended while more may go, as "it was interrupted"
	Given    string   // the command as the user gave it, if it is not that of the first run
	Kind     string   // of the failure, as "internal compiler error"
	Title    string   // of the failure, one line
	Runs     []Run    // the command that shows the failure; of wrong code two that differ, the good one first
	Files    []File   // what is left, the main one first

	Guards    []Guard
	Compilers []Compiler
	Where     []Fact // what was found out about the place of the bug, as its first bad pass
	Others    []Other
	Explorer  Link     // to Compiler Explorer
	Machine   []Fact   // the system, and the tools that ran
	Tools     []Run    // commands by which the tools say how they were built
	Course    *Course  // nil if it is not known
	Again     string   // the command that makes this report again
	Whittle   string   // its version
	Notes     []string // what else there is to say, a sentence each
}

// A Link is text that leads to a URL.
type Link struct{ Text, URL string }

// isLink reports whether the URL can stand in a page and in Markdown as it is.
func (l Link) isLink() bool {
	return strings.HasPrefix(l.URL, "https://") && !strings.ContainsAny(l.URL, " \t\r\n<>\"\\")
}

// tools are the tools that are told of.
func (f Facts) tools() []Run { return f.Tools[:min(len(f.Tools), mostTools)] }

// A Run is a command and what it printed.
type Run struct {
	Command string // with as few arguments as the failure needs
	Output  []string
}

// given returns the command as the user gave it, unless a run has the same.
func (f Facts) given() string {
	if slices.ContainsFunc(f.Runs, func(r Run) bool { return r.Command == f.Given }) {
		return ""
	}
	return f.Given
}

// A Size is that of a text.
type Size struct{ Tokens, Bytes int }

// A File is one that is left.
type File struct{ Name, Text string }

// A Guard is a condition that the result keeps.
type Guard struct {
	Name string // as "accepted by clang-14"
	Held bool
	Says string // what there is to say besides
}

// A Compiler is one that was asked about the result.
type Compiler struct {
	Name, Version string
	Command       string   // that it ran
	Without       []string // arguments of the command that it does not know
	Verdict       Verdict
	Detail        string // as the title of another failure, or why it cannot be run
}

// without says which arguments a compiler did not get; "" is none.
func (c Compiler) without() string {
	if len(c.Without) == 0 {
		return ""
	}
	return line(strings.Join(c.Without, " "), mostLine)
}

// cells are the texts of a compiler that may be long.
func (c Compiler) cells() string { return c.Name + c.Version + c.Detail + c.without() }

// A Verdict is what a compiler makes of a file.
type Verdict int

// The verdicts.
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

// A Fact is one more thing that is known.
type Fact struct {
	Name string // as "first bad pass"
	Text string
	Code bool // the text is of a program
}

// An Other is another failure that was met.
type Other struct {
	Title string
	Path  string // of a file that shows it
	Size  Size
}

// Times returns how often something was done.
func times(n int, what string) string {
	return humanize.Comma(int64(n)) + " " + english.PluralWord(n, what, "")
}

// String leaves out tokens that are not known.
func (s Size) String() string {
	if s.Tokens == 0 && s.Bytes > 0 {
		return times(s.Bytes, "byte")
	}
	return times(s.Tokens, "token") + " (" + times(s.Bytes, "byte") + ")"
}

// took writes a time as people say it.
func took(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// reduced says in a sentence what a reduction did; "" if there was none.
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
