// Package account collects the facts of a report: it runs the command on the file, asks which other compilers of the
// machine fail in the same way, and finds the faulty change of the compiler. It also writes links to Compiler Explorer.
package account

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"whittle"
	"whittle/grammars"
	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/output"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
	"whittle/parse"
)

// Options configure an account.
type Options struct {
	Also  []string          // additional compilers
	Runs  int               // maximal number of runs of a bisection
	Doing func(step string) // gets progress, one line
}

// Time limits as multiples of the command's time, with bounds.
const (
	factor    = 10
	leastTime = 10 * time.Second
	mostTime  = time.Minute
)

// Runs of a test until it shows the failure, and of one whose failure was seen, so it is flaky.
const (
	mostRuns = 5
	mostSeen = 20
)

type inquiry struct {
	*run.Run
	asked    Options
	words    []string // command with {} for the file; nil if the test is no command
	file     []byte
	question Question
	machine  tool.Machine
	facts    report.Facts

	good, bad int      // indices of the right and the wrong of two commands
	right     []string // the words of the right one; nil if unknown
}

// Of returns the facts about a file. The run must have been opened, with the criteria of the
// failure. The error is ctx's, one of the environment, or a [*failure.UnfitError].
func Of(ctx context.Context, s *run.Run, o Options) (report.Facts, error) {
	q := begin(s, o, s.Input.Bytes)
	if shows := s.Failure.Shows; shows.Runs > 0 {
		q.sure("shows the failure in "+shows.Measured(),
			shell.Repeat(s.Input.CopyLine(), shows.Needed(), s.InShell(s.Spec)))
	}
	err := q.find(ctx)
	return q.facts, err
}

func (q *inquiry) sure(text, loop string) {
	if text != "" {
		q.facts.Notes, q.facts.Loop = append(q.facts.Notes, "This file "+text), loop
	}
}

func begin(s *run.Run, o Options, file []byte) *inquiry {
	q := &inquiry{Run: s, asked: o, file: file}
	if s.Test.Inline {
		q.words = tool.WithoutOutput(s.Words())
	}
	failed := s.Failure.Signature
	q.question = Question{Test: s.Bare(), Title: failed.Title, Callers: failed.Callers, File: file, Doing: o.Doing}
	q.question.Test.Spec.Afresh = true // without an earlier build
	if !bytes.Equal(s.Input.Bytes, file) {
		q.question.Input = s.Input.Bytes
	}
	q.facts = report.Facts{
		Input: s.Input.Paths, Files: q.files(), After: q.size(file),
		Kind: string(failed.Kind), Title: failed.Title,
	}
	if s.Test.Differs != nil {
		q.wrong()
	} else if q.facts.Title == "" {
		q.facts.Title = fmt.Sprintf("what %s finds in %s", s.Test, s.Input)
	}
	return q
}

func (q *inquiry) find(ctx context.Context) error {
	err := q.run(ctx)
	if err == nil && q.words != nil {
		err = q.compilers(ctx)
	}
	q.facts.Machine = slices.Concat(system(), q.facts.Machine)
	return err
}

func (q *inquiry) run(ctx context.Context) error {
	began, most := time.Now(), mostRuns
	if f := q.Chain.Flaky(); f != nil {
		held, _ := f.Held()
		most = held.Needed()
	} else if q.Failure.Title != "" {
		most = mostSeen
	}
	var a Answer
	for runs := 0; runs < most && (runs == 0 || a.Verdict != report.HasBug); runs++ {
		var err error
		began = time.Now()
		if a, err = q.question.Ask(ctx, q.words); err != nil {
			return err
		}
	}
	_, compiles := q.machine.Command(ctx, q.words)
	fine := q.Test.Inline && compiles && q.Spec.Interesting.IsZero() // exit code 0 is no failure
	if a.Verdict != report.HasBug || fine {
		said := a.Verdict.String()
		if a.Verdict == report.HasBug {
			said = report.Accepts.String()
		}
		if a.Detail != "" {
			said += ": " + a.Detail
		}
		return failure.Unfitf("%s does not show the failure: %s %s", q.Input, q.Test, said)
	}
	if q.Spec.Timeout == 0 { // not set by the user or a hang
		q.question.Test.Spec.LimitTime(min(max(factor*time.Since(began), leastTime), mostTime))
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

func (q *inquiry) tell(run oracle.Run) {
	q.command(append(excerpt(run.Output, q.Failure.Shown), ending(run)...))
}

func (q *inquiry) command(output []string) {
	q.facts.Runs = []report.Run{{Command: q.shown(q.words), Output: output}}
}

func ending(run oracle.Run) []string {
	switch {
	case run.TimedOut, run.Exceeded != oracle.NoLimit:
		return []string{"[" + diagnose.Ending(run) + "]"}
	case run.Died != 0:
		return []string{"[ended by " + run.DiedBy() + "]"}
	}
	return nil
}

func (q *inquiry) compilers(ctx context.Context) error {
	command, ok := q.machine.Command(ctx, q.words)
	if !ok {
		if len(q.asked.Also) > 0 {
			q.facts.Notes = append(q.facts.Notes, "no compiler is known in the command, so no other can take its place")
		}
		return nil
	}
	q.explore(ctx, command)
	asked, err := q.question.Compilers(ctx, &q.machine, command, q.Input.ReadBy(), q.asked.Also)
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
	b := Bisection{Command: command, Ask: q.question.Ask, Most: q.asked.Runs, Doing: q.asked.Doing}
	if q.facts.Where, err = b.Find(ctx); err != nil {
		return err
	}
	q.facts.Where = append(q.facts.Where, Versions(command, asked)...)
	return nil
}

func (q *inquiry) name() string { return q.Spec.Layout.Name }

func (q *inquiry) shown(words []string) string {
	if !q.Test.Inline {
		return q.Test.String()
	}
	words = slices.Clone(tool.WithoutOutput(words))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], oracle.Placeholder, q.name())
	}
	s := shell.Join(shell.Bare(words))
	if q.Spec.Stdin {
		s += " <" + shell.Quote(q.name())
	}
	return s
}

func (q *inquiry) size(candidate []byte) report.Size {
	_, bytes := q.Input.Measure(candidate)
	tree, err := q.Input.Language.Parse(candidate)
	if err != nil {
		return report.Size{Bytes: bytes}
	}
	return report.Size{Tokens: parse.Whole(tree).Weight(), Bytes: bytes}
}

func (q *inquiry) files() []report.File {
	if q.Input.Set == nil {
		return []report.File{{Name: q.name(), Text: string(q.file), Language: q.Input.ReadBy()}}
	}
	entries, err := q.Input.Set.Entries(q.file)
	if err != nil {
		return nil
	}
	var files []report.File
	for _, e := range entries {
		if e.Mode.IsRegular() {
			language := grammars.ForContent(e.Path, e.Content).Name
			files = append(files, report.File{Name: e.Path, Text: string(e.Content), Language: language})
		}
	}
	return files
}

// Write writes a report as Markdown and as a page; an empty path means none. It calls moved for each
// file of the user that was moved aside.
func Write(facts report.Facts, markdown, page output.Report, moved func(path, kept string)) error {
	for _, form := range []struct {
		to     output.Report
		render func(io.Writer, report.Facts) error
	}{{markdown, report.Markdown}, {page, report.HTML}} {
		if form.to.Path == "" {
			continue
		}
		var text bytes.Buffer
		err := form.render(&text, facts)
		kept := ""
		if err == nil {
			kept, err = form.to.Write(text.Bytes())
		}
		if kept != "" {
			moved(form.to.Path, kept)
		}
		if err != nil {
			return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write the report: %w", err)}
		}
	}
	return nil
}

// lastRun limits a run of the command after an interrupt.
const lastRun = 600 * time.Millisecond // less than run.Grace

// OfReduction returns the facts about the result of a reduction. When ctx is done, by an
// interrupt, it only runs the command once more, for a moment; late ends that, too.
func OfReduction(ctx, late context.Context, r *run.Run, result whittle.Result, o Options,
) (report.Facts, error) {
	q := begin(r, o, r.Best())
	q.facts.Before, q.facts.Early, q.facts.Course = q.size(r.Input.Bytes), r.Early(ctx, result), r.Course()
	if r.Test.Inline {
		q.facts.Given = q.shown(r.Test.Argv)
	}
	for _, g := range r.Guards {
		q.facts.Guards = append(q.facts.Guards, "accepted by "+g.String())
	}
	if r.Crash != nil && r.Crash.Title != "" {
		q.facts.Guards = append(q.facts.Guards, "the same place of the crash, by "+r.Crash.By+": "+r.Crash.Title)
	}
	for _, s := range r.Agree {
		q.facts.Guards = append(q.facts.Guards, s.Name+" agrees with one of the two commands")
	}
	for _, k := range r.Others.All() {
		q.facts.Others = append(q.facts.Others, report.Other{Title: k.Title, Path: k.Path, Size: report.Size{Bytes: k.Bytes}})
	}
	q.sure(r.Sure())
	err := q.find(ctx)
	if ctx.Err() != nil {
		q.interrupted(late, r.Failure.Shown)
		return q.facts, nil
	}
	if errors.As(err, new(*failure.UnfitError)) { // flaky
		q.facts.Notes = append(q.facts.Notes, "For this report it was run once more, and did not fail.")
		err = nil
	}
	return q.facts, err
}

// interrupted completes an interrupted report. shown is the output for the input.
func (q *inquiry) interrupted(late context.Context, shown []string) {
	note := "It was interrupted, and not all experiments were made."
	if len(q.facts.Compilers) == 0 {
		note = "It was interrupted, and no other compilers were asked."
	}
	q.facts.Notes = append(q.facts.Notes, note)
	if len(q.facts.Runs) > 0 {
		return
	}
	ctx, cancel := context.WithTimeout(late, lastRun)
	defer cancel()
	if q.Test.Differs != nil {
		q.facts.Runs, _ = q.answers(ctx)
		return
	}
	if a, err := q.question.Ask(ctx, q.words); err == nil {
		q.tell(a.Run)
		return
	}
	q.command(shown)
	if len(shown) > 0 {
		q.facts.Notes = append(q.facts.Notes, "The output is that for the original file.")
	}
}
