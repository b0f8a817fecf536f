// Package failure identifies failures. From the run of a failing command it makes signatures that
// hold while the input shrinks: without line numbers, addresses, paths and times.
//
// known.txt describes the output of tools. The package runs no programs and reads no files. Only
// experiments show whether a signature distinguishes the input from other files.
package failure

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"whittle/oracle"
)

// A Kind is a class of failures, such as "assertion".
type Kind string

// Kinds that are not in known.txt.
const (
	Death    Kind = "signal"
	Hang     Kind = "hang"
	Memory   Kind = "memory"
	Message  Kind = "message"
	ExitCode Kind = "exit code"
)

// WrongValue is the kind of a failed assertion of a test, in known.txt, and of other messages that compare values.
const WrongValue Kind = "wrong value"

// A Signature identifies a failure by properties that stay while the file shrinks.
type Signature struct {
	Kind     Kind
	Title    string          // one line without variable parts; equal titles mean the same failure
	Shown    []string        // output lines that show it
	Criteria oracle.Criteria // conditions on a run
	Strong   bool            // no correct program shows it; messages and exit codes are weak
	weak     string          // what else meets it, for Weak
	valued   bool            // has lines with values
	Callers  []Frame         // of the innermost frame, which is in Title; not in Criteria
}

// A Frame is a function on a stack.
type Frame struct {
	Title string         // such as "in f, at g.cc"
	Shown string         // as printed
	Like  *regexp.Regexp // matches lines of the same function
}

// An UnfitError says that an input does not show a failure, or that a test cannot find one.
type UnfitError struct{ reason string }

func (e *UnfitError) Error() string { return e.reason }

// Unfitf returns an [*UnfitError] with a formatted reason.
func Unfitf(format string, args ...any) error { return &UnfitError{fmt.Sprintf(format, args...)} }

// Frames is the maximal number of functions of a stack in a signature, with the innermost.
const Frames = 3

// Printed reports whether the output has a stack with the function.
func (f Frame) Printed(output []byte) bool {
	return slices.ContainsFunc(printed(output), f.Like.MatchString)
}

// Called returns the title with the callers, such as "crash, in f, called in g, called in h".
func (s Signature) Called() string {
	title := s.Title
	for _, c := range s.Callers {
		title += ", called " + c.Title
	}
	return title
}

// Weak describes other failures that meet the criteria, or is "".
func (s *Signature) Weak() string { return cmp.Or(s.weak, s.Criteria.Weak()) }

var crashes = []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE,
	syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS}

// Same reports whether the first failure of a is one of b. A run without one is like any other.
func Same(a, b oracle.Run) bool {
	all := All(a)
	return len(all) == 0 || slices.ContainsFunc(All(b), func(s Signature) bool { return s.Title == all[0].Title })
}

// Of returns the first signature of a run if it is strong. It is fast without one.
func Of(run oracle.Run) (Signature, bool) {
	if all := crashesOf(run); len(all) > 0 && all[0].Strong {
		return all[0], true
	}
	return Signature{}, false
}

// All returns the signatures of a run, the strongest first. With exit code 0 these are only crashes
// and messages.
func All(run oracle.Run) []Signature {
	all := crashesOf(run)
	if killed(run) || run.TimedOut || run.Exceeded != oracle.NoLimit {
		return all
	}
	shown := map[string]bool{} // lines with a stronger signature
	for _, s := range all {
		for _, line := range s.Shown {
			shown[line] = true
		}
	}
	lines := printed(run.Output)
	findings := known().patterns["findings"]
	for _, rank := range []string{"", "warnings", "harmless", "summaries"} {
		if rank == "summaries" && len(all) > 0 {
			break
		}
		if rank == "warnings" && len(all) == 0 {
			all = summed(lines, run)
			for _, s := range all {
				shown[s.Shown[0]] = true
			}
		}
		none := len(all) == 0
		for i, p := range slices.Concat(findings, known().patterns["messages"]) {
			var added []Signature
			for _, s := range messages(&p, lines, run, rank) {
				if line := s.Shown[0]; shown[line] || len(s.Criteria.Lines) == 1 && !none {
					continue
				}
				if i < len(findings) {
					s.Criteria.ExitCodes = nil // it depends on other findings, too
				}
				if rank == "" {
					s.countPlaced(lines, run)
				}
				added = append(added, s)
			}
			for _, s := range added {
				shown[s.Shown[0]] = true
			}
			all = append(all, added...)
		}
		if rank == "warnings" && len(all) == 0 {
			all = lastWords(lines, run)
		}
	}
	if run.Ended(0) {
		return all
	}
	return append(all, ExitedWith(run.ExitCode))
}

// rankOf returns the section of known.txt with a line of a failing command that is only a warning or summary, or "".
func rankOf(line string, run oracle.Run) string {
	for _, rank := range []string{"summaries", "harmless", "warnings"} {
		matches := func(r *regexp.Regexp) bool { return r.MatchString(line) }
		if !run.Ended(0) && slices.ContainsFunc(known().late[rank], matches) {
			return rank
		}
	}
	return ""
}

var failed = regexp.MustCompile(`FAIL|\b[1-9][0-9]* (?:fail|error)|^not ok`)

// Passed returns the last line of a run by which a test runner says that all tests passed. It is empty if another says
// that a test failed.
func Passed(run oracle.Run) (summary string) {
	for _, line := range printed(run.Output) {
		if failed.MatchString(line) {
			return ""
		}
		if slices.ContainsFunc(known().patterns["passed"], func(p pattern) bool { return p.regexp.MatchString(line) }) {
			summary = strings.Trim(line, " =")
		}
	}
	return summary
}

// crashesOf is All without messages and exit codes.
func crashesOf(run oracle.Run) []Signature {
	switch {
	case run.TimedOut:
		return []Signature{{Kind: Hang, Title: "no end in time", Criteria: oracle.Criteria{Timeout: true}, Strong: true}}
	case run.Exceeded == oracle.MemoryLimit:
		return []Signature{{Kind: Memory, Title: "too much memory", Criteria: oracle.Criteria{Memory: true}, Strong: true}}
	case run.Exceeded != oracle.NoLimit:
		return nil
	}
	full, words, looser := reported(string(run.Output))
	if killed(run) {
		full = append(full, death(run))
	}
	var strong, weak []Signature
	titles := map[string]bool{}
	for _, s := range slices.Concat(full, words, looser) {
		for i := range s.Criteria.Lines {
			if run.Cut {
				s.Criteria.Lines[i].Most = 0
			}
		}
		switch {
		case titles[s.Title]:
		case s.Strong:
			strong = append(strong, s)
		default:
			weak = append(weak, s)
		}
		titles[s.Title] = true
	}
	return append(strong, weak...)
}

// reported returns the signatures of crashes: the most specific ones, signatures of signals, and looser variants of the
// first.
func reported(output string) (full, words, looser []Signature) {
	var lines []string
	shown := map[string]bool{}    // lines with a more specific signature
	asserted := map[string]bool{} // lines of failed assertions, which are no exceptions
	for i := range known().crashes {
		r := &known().crashes[i]
		if !r.mayShow(output) {
			continue
		}
		if lines == nil {
			lines = printed([]byte(output))
		}
		found := r.signatures(lines, asserted, shown)
		if len(found) == 0 {
			continue
		}
		for _, line := range found[0].Shown {
			shown[line] = true
		}
		for at := range lines {
			if r.kind == WrongValue && r.at(lines, at, false) != nil {
				asserted[lines[at]] = true
			}
		}
		if r.kind == Death {
			words = append(words, found...)
			continue
		}
		full = append(full, found[0])
		looser = append(looser, found[1:]...)
	}
	return full, words, looser
}

// lineLimit is the maximal length of a line, because criteria see longer lines only in parts.
const lineLimit = 4 << 10

// printed empties lines that are too long.
func printed(output []byte) (lines []string) {
	for line := range bytes.Lines(output) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) > lineLimit {
			line = nil
		}
		lines = append(lines, string(line))
	}
	return lines
}

// killed reports whether a signal ended the run, or its program according to the exit code. Only
// codes of crashes count.
func killed(run oracle.Run) bool {
	return run.Died != 0 && (run.ExitCode < 0 || run.Died == syscall.SIGKILL || slices.Contains(crashes, run.Died))
}

func death(run oracle.Run) Signature {
	return Signature{
		Kind:     Death,
		Title:    "death by " + run.DiedBy(),
		Criteria: oracle.Criteria{Signals: []syscall.Signal{run.Died}},
		Strong:   slices.Contains(crashes, run.Died),
	}
}
