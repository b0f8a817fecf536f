// Package failure says what a failure is known by: from the run of a command that
// crashed, or complained, it makes signatures that hold while the input shrinks, without
// line numbers, addresses, paths and times.
//
// What tools print is written down in known.txt. The package runs nothing and reads no
// file; whether a signature tells the input from other files is for experiments to find
// out.
package failure

import (
	"bytes"
	"regexp"
	"slices"
	"syscall"

	"whittle/oracle"
)

// A Kind is a sort of failure, as "assertion".
type Kind string

// The kinds of what a run shows without what known.txt has.
const (
	Death    Kind = "signal"
	Hang     Kind = "hang"
	Memory   Kind = "memory"
	Message  Kind = "message"
	ExitCode Kind = "exit code"
)

// A Signature is what a failure is known by: what stays the same while the file shrinks.
type Signature struct {
	Kind     Kind
	Title    string          // one line without what varies; equal titles are the same failure
	Shown    []string        // the lines of output that show it, as printed
	Criteria oracle.Criteria // what a run must meet to have it
	Strong   bool            // a crash that no right program shows; a message or an exit code is not
	frame    string          // the line of a stack that it has; "" is none
	Callers  []Frame         // of the innermost frame, which is in Title; they are not in Criteria
}

// A Frame is a function on a stack.
type Frame struct {
	Title string         // as "in f, at g.cc"
	Shown string         // as printed
	Like  *regexp.Regexp // of lines of the same function
}

// Frames is how many functions of a stack are told apart at most: the innermost and its
// callers.
const Frames = 3

// Printed reports whether the function is on a stack in the output.
func (f Frame) Printed(output []byte) bool {
	return slices.ContainsFunc(printed(output), f.Like.MatchString)
}

// Called returns the title with the callers, as "crash, in f, called in g, called in h".
func (s Signature) Called() string {
	title := s.Title
	for _, c := range s.Callers {
		title += ", called " + c.Title
	}
	return title
}

// crashes are the signals that a program dies of by its own fault.
var crashes = []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE,
	syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS}

// Of returns the first signature of a run, if that is a strong one. It takes no time to
// speak of where there is none.
func Of(run oracle.Run) (Signature, bool) {
	if all := crashesOf(run); len(all) > 0 && all[0].Strong {
		return all[0], true
	}
	return Signature{}, false
}

// All returns the signatures of a run whose output was kept, the strongest first. A run
// that ended with exit code 0 has those of crashes and messages only.
func All(run oracle.Run) []Signature {
	all := crashesOf(run)
	if killed(run) || run.TimedOut || run.Exceeded != oracle.NoLimit {
		return all
	}
	shown := map[string]bool{} // lines that have said more
	for _, s := range all {
		for _, line := range s.Shown {
			shown[line] = true
		}
	}
	lines := printed(run.Output)
	none := len(all) == 0
	var added []Signature
	for i := range known().messages {
		for _, s := range messages(&known().messages[i], lines, run) {
			if line := s.Shown[0]; shown[line] || len(s.Criteria.Lines) == 1 && !none {
				continue
			}
			added = append(added, s)
		}
		for _, s := range added {
			shown[s.Shown[0]] = true
		}
		all = append(all, added...)
		added = added[:0]
	}
	if run.Ended(0) {
		return all
	}
	if s, ok := lastWords(lines, run.ExitCode); ok && len(all) == 0 {
		all = append(all, s)
	}
	return append(all, exit(run.ExitCode))
}

// crashesOf returns the signatures of a run but for messages and exit codes, the strongest
// first.
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
	var all []Signature
	add := func(s Signature) {
		if !slices.ContainsFunc(all, func(o Signature) bool { return o.Title == s.Title }) {
			all = append(all, s)
		}
	}
	for _, s := range full {
		add(s)
	}
	if killed(run) {
		add(death(run))
	}
	for _, s := range slices.Concat(words, looser) {
		add(s)
	}
	slices.SortStableFunc(all, func(a, b Signature) int {
		switch {
		case a.Strong == b.Strong:
			return 0
		case a.Strong:
			return -1
		}
		return 1
	})
	return all
}

// reported returns what output says of crashes: those signatures that say most, those that
// only tell of a signal, and those of the first that say less.
func reported(output string) (full, words, looser []Signature) {
	var lines []string
	shown := map[string]bool{} // lines that have said more
	for i := range known().crashes {
		r := &known().crashes[i]
		if !r.mayShow(output) {
			continue
		}
		if lines == nil {
			lines = printed([]byte(output))
		}
		found := r.signatures(lines)
		if len(found) == 0 || shown[found[0].Shown[0]] {
			continue
		}
		for _, line := range found[0].Shown {
			shown[line] = true
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

// lineLimit is how long a line may be. A longer one is not seen as a whole by what counts
// lines of tests.
const lineLimit = 4 << 10

// printed returns the lines of output without their ends, and those that are too long as
// empty ones.
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

// killed reports whether a signal ended a run, or as far as its exit code tells a program
// that it ran. Other codes above 128 than those of crashes mean something else.
func killed(run oracle.Run) bool {
	return run.Died != 0 && (run.ExitCode < 0 || run.Died == syscall.SIGKILL || slices.Contains(crashes, run.Died))
}

// death returns the signature of a run that a signal ended.
func death(run oracle.Run) Signature {
	return Signature{
		Kind:     Death,
		Title:    "death by " + run.DiedBy(),
		Criteria: oracle.Criteria{Signals: []syscall.Signal{run.Died}},
		Strong:   slices.Contains(crashes, run.Died),
	}
}
