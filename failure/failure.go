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
	"slices"
	"strings"
	"syscall"

	"whittle/oracle"
)

// A Kind is a sort of failure, as "assertion".
type Kind string

// The kinds that no line of known.txt begins.
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
}

// crashes are the signals that a program dies of by its own fault.
var crashes = []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE,
	syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS}

// Of returns the first signature of a run, if that is a strong one.
func Of(run oracle.Run) (Signature, bool) {
	if all := All(run); len(all) > 0 && all[0].Strong {
		return all[0], true
	}
	return Signature{}, false
}

// All returns the signatures of a run whose output was kept, the strongest first. A run
// that ended well has none but those of crashes that it reports.
func All(run oracle.Run) []Signature {
	switch {
	case run.TimedOut:
		return []Signature{{Kind: Hang, Title: "no end in time", Criteria: oracle.Criteria{Timeout: true}, Strong: true}}
	case run.Exceeded == oracle.MemoryLimit:
		return []Signature{{Kind: Memory, Title: "too much memory", Criteria: oracle.Criteria{Memory: true}, Strong: true}}
	case run.Exceeded != oracle.NoLimit:
		return nil
	}
	lines := printed(run.Output)
	var all, words, looser []Signature // words tell of a signal, looser ones say less
	shown := map[string]bool{}         // by those of before
	add := func(s Signature) {
		if !slices.ContainsFunc(all, func(o Signature) bool { return o.Title == s.Title }) {
			all = append(all, s)
		}
	}
	for _, r := range known().crashes {
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
		add(found[0])
		looser = append(looser, found[1:]...)
	}
	if run.Died != 0 {
		add(death(run))
	}
	for _, s := range slices.Concat(words, looser) {
		add(s)
	}
	if run.Died == 0 && run.ExitCode > 0 {
		for _, p := range known().messages {
			if s, ok := message(&p, lines, run.ExitCode); ok && !shown[s.Shown[0]] {
				shown[s.Shown[0]] = true
				add(s)
			}
		}
		if s, ok := lastWords(lines, run.ExitCode); ok && len(all) == 0 {
			add(s)
		}
		add(exit(run.ExitCode))
	}
	return all
}

// printed returns the lines of output without their ends.
func printed(output []byte) []string {
	output = bytes.TrimRight(output, "\r\n")
	if len(output) == 0 {
		return nil
	}
	lines := strings.Split(string(output), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	return lines
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
