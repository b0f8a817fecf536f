// Package account finds out what a report tells of a file: it runs the command on it, asks
// the compilers of the machine, and looks for the place of the bug.
package account

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"whittle/internal/arguments"
	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/inquire"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
	"whittle/parse"
)

// Options say what to find out, besides what there is to say of the file itself.
type Options struct {
	Failure failure.Signature // that the file shows; its Title may be unknown
	Words   []string          // the command, with {} for the file; nil is that of the test
	File    []byte            // nil is the input
	Also    []string          // compilers that are asked besides those of the machine
	Runs    int               // the most that a bisection may take; 0 is none
	Doing   func(what string) // told what is being done, in a line; nil is nobody
}

// limits of the time that a compiler may take, of others and of a bisection: so many times
// what the command took, within bounds.
const (
	factor    = 10
	leastTime = 10 * time.Second
	mostTime  = time.Minute
)

// An inquiry is what is asked for a report.
type inquiry struct {
	*run.Run
	asked    Options
	question inquire.Question
	machine  tool.Machine
	facts    report.Facts
	printed  []printed // by the compilers of the commands

	good, bad int // which of two commands that differ is right, and which is asked about
}

// Of returns what is known of a file. The session has started, and its criteria are those
// of the failure. The error is that of ctx, of the environment, or a [*NoFailureError].
func Of(ctx context.Context, s *run.Run, o Options) (report.Facts, error) {
	q := begin(s, o)
	err := q.find(ctx)
	return q.facts, err
}

// begin tells what is known without running anything.
func begin(s *run.Run, o Options) *inquiry {
	q := &inquiry{Run: s, asked: o}
	switch {
	case !s.Test.Inline:
		q.asked.Words = nil
	case q.asked.Words == nil:
		q.asked.Words = s.Test.Argv
	}
	q.asked.Words = arguments.WithoutOutput(q.asked.Words)
	if q.asked.File == nil {
		q.asked.File = s.Input.Bytes
	}
	if q.asked.Doing == nil {
		q.asked.Doing = func(string) {}
	}
	q.question = inquire.Question{Test: s.Bare(), Title: o.Failure.Title, Callers: o.Failure.Callers, File: q.asked.File}
	q.question.Doing = q.asked.Doing
	if !bytes.Equal(s.Input.Bytes, q.asked.File) {
		q.question.Input = s.Input.Bytes
	}
	q.facts = report.Facts{
		Input: s.Input.Paths, Language: s.Input.ReadBy(), Files: q.files(), After: q.size(q.asked.File),
		Kind: string(o.Failure.Kind), Title: o.Failure.Title,
	}
	if s.Test.Differs != nil {
		q.wrong()
	} else if q.facts.Title == "" {
		q.facts.Title = fmt.Sprintf("what %s finds in %s", s.Test, s.Input)
	}
	return q
}

// find finds out the rest.
func (q *inquiry) find(ctx context.Context) error {
	err := q.run(ctx)
	if err == nil && q.asked.Words != nil {
		err = q.compilers(ctx)
	}
	q.facts.Machine = slices.Concat(system(), q.facts.Machine)
	return err
}

// A NoFailureError says that a file does not show the failure.
type NoFailureError struct{ text string }

func (e *NoFailureError) Error() string { return e.text }

// run runs the command itself.
func (q *inquiry) run(ctx context.Context) error {
	began := time.Now()
	a, err := q.question.Ask(ctx, q.asked.Words)
	if err != nil {
		return err
	}
	_, compiles := inquire.FindCompiler(ctx, &q.machine, q.asked.Words)
	fine := q.Test.Inline && compiles && q.Spec.Interesting.IsZero() // no bug is that it ends with 0
	if a.Verdict != report.HasBug || fine {
		said := a.Verdict.String()
		if a.Verdict == report.HasBug {
			said = report.Accepts.String()
		}
		if a.Detail != "" {
			said += ": " + a.Detail
		}
		return &NoFailureError{fmt.Sprintf("%s does not show the failure: %s %s", q.Input, q.Test, said)}
	}
	if q.Spec.Timeout == 0 { // else the user or a hang has set it
		q.question.Test.Spec.Timeout = min(max(factor*time.Since(began), leastTime), mostTime)
		q.question.Test.Spec.Processor = 0
	}
	if q.Test.Differs != nil {
		runs, err := q.answers(ctx)
		if err == nil {
			q.facts.Runs = runs
		}
		return err
	}
	q.tell(a.Run)
	return nil
}

// tell puts a run of the command in the report.
func (q *inquiry) tell(run oracle.Run) {
	q.command(append(excerpt(run.Output, q.asked.Failure.Shown), ending(run)...))
}

// command puts the command in the report, with its output.
func (q *inquiry) command(output []string) {
	q.facts.Runs = []report.Run{{Command: q.shown(q.asked.Words), Output: output}}
}

// ending returns the line that says how a run ended; nil if it exited.
func ending(run oracle.Run) []string {
	switch {
	case run.TimedOut, run.Exceeded != oracle.NoLimit:
		return []string{"[" + diagnose.Ending(run) + "]"}
	case run.Died != 0:
		return []string{"[ended by " + run.DiedBy() + "]"}
	}
	return nil
}

// compilers asks those of the machine, and looks for the place of the bug.
func (q *inquiry) compilers(ctx context.Context) error {
	command, ok := inquire.FindCompiler(ctx, &q.machine, q.asked.Words)
	if !ok {
		if len(q.asked.Also) > 0 {
			q.facts.Notes = append(q.facts.Notes, "no compiler is known in the command, so no other can take its place")
		}
		return nil
	}
	q.describe(ctx, command)
	asked, err := q.question.Compilers(ctx, &q.machine, command, q.facts.Language, q.asked.Also)
	q.explore(ctx, command)
	for _, c := range asked {
		if q.Test.Differs != nil && c.Verdict == report.Accepts {
			c.Verdict = report.Right
		}
		c.Command = strings.ReplaceAll(c.Command, oracle.Placeholder, shell.Quote(q.name()))
		q.facts.Compilers = append(q.facts.Compilers, c.Compiler)
	}
	if err != nil {
		return err
	}
	if q.asked.Runs > 0 {
		b := inquire.Bisection{Command: command, Ask: q.question.Ask, Most: q.asked.Runs, Doing: q.asked.Doing}
		if q.facts.Where, err = b.Find(ctx); err != nil {
			return err
		}
	}
	q.facts.Where = append(q.facts.Where, inquire.Versions(command, asked)...)
	return nil
}

// name returns what the file is called in the command.
func (q *inquiry) name() string { return q.Spec.Layout.Name }

// shown returns a command with the file's name.
func (q *inquiry) shown(words []string) string {
	if !q.Test.Inline {
		return q.Test.String()
	}
	words = slices.Clone(arguments.WithoutOutput(words))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], oracle.Placeholder, q.name())
	}
	s := shell.Join(words)
	if q.Spec.Stdin {
		s += " <" + shell.Quote(q.name())
	}
	return s
}

// size returns the size of a candidate.
func (q *inquiry) size(candidate []byte) report.Size {
	_, bytes := q.Input.Measure(candidate)
	tree, err := q.Input.Language.Parse(candidate)
	if err != nil {
		return report.Size{Bytes: bytes}
	}
	return report.Size{Tokens: parse.Whole(tree).Weight(), Bytes: bytes}
}

// files returns what is left, as files.
func (q *inquiry) files() []report.File {
	if q.Input.Set == nil {
		return []report.File{{Name: q.name(), Text: string(q.asked.File)}}
	}
	entries, err := q.Input.Set.Entries(q.asked.File)
	if err != nil {
		return nil
	}
	var files []report.File
	for _, e := range entries {
		if e.Mode.IsRegular() {
			files = append(files, report.File{Name: e.Path, Text: string(e.Content)})
		}
	}
	return files
}
