package run

import (
	"context"
	"errors"
	"fmt"

	"whittle"
	"whittle/internal/report"
	"whittle/internal/tool"
	"whittle/oracle"
)

// Deleted reports whether the whole input was deleted.
func (r *Run) Deleted(result whittle.Result) bool {
	return r.Input.IsNothing(result.File) && !r.Input.IsNothing(r.Input.Bytes)
}

// An End describes the files after a run.
type End struct {
	Written bool // the output has the best file
	Ahead   bool // that of an earlier run, which came further
	Already bool // unchanged, because it was reduced in place before
	Stopped bool // by time limit, user or signal
	GoesOn  bool
	Journal error    // of closing it
	Command string   // shell command with the necessary arguments; "" if all stay
	Added   []string // arguments and variables for speed that became necessary
	Untried bool     // there was no time to test without these
}

// Finish writes the result and figures of Reduce, which returned err; without
// [whittle.ErrNoTime], also the best file so far. Some time after a signal ends ctx, it stops
// waiting for readers of the output.
func (r *Run) Finish(ctx context.Context, result whittle.Result, err error) (End, error) {
	err = Cause(ctx, err)
	if err == nil {
		err = r.guard.End(result.Complete)
	}
	err = errors.Join(err, r.guard.Finish(Late(ctx)))
	end := End{Written: r.guard.Holds(), Ahead: r.guard.Ahead(), Untried: r.untried}
	end.Command, end.Added = r.command()
	figures := r.base
	figures.Result = result
	if end.Written { // so the input was parsed
		figures.Language, figures.Tallies = r.Input.ReadBy(), r.Chain.Tallies()
		figures.Command, figures.Arguments = end.Command, r.arguments()
	}
	err = errors.Join(err, r.record.Finish(figures))
	end.Already = r.InPlace && result.Complete && result.Tests == result.Replayed && r.guard.Held(result.File)
	end.Stopped = ctx.Err() != nil || err == nil && r.stopped(result)
	goesOn := r.Journal.GoesOn()
	refused := errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky) && !r.Journal.Resumed
	end.Journal = r.Journal.Close(r.KeepJournal || !refused && (r.InPlace || !result.Complete || err != nil))
	end.GoesOn = goesOn && end.Journal == nil && end.Stopped
	return end, err
}

// Cede closes the files of the run, so that another one may write them.
func (r *Run) Cede() {
	r.record.Cede()
	r.Journal.Close(true)
	r.Out.Release()
}

func (r *Run) stopped(result whittle.Result) bool {
	return !result.Complete && result.Refuted == 0 && !r.enoughTests(result) && !r.smallEnough(result)
}

func (r *Run) enoughTests(result whittle.Result) bool {
	return r.Search.MaxTests > 0 && result.Tests >= r.Search.MaxTests
}

func (r *Run) smallEnough(result whittle.Result) bool {
	return r.Search.TargetTokens > 0 && result.Tokens <= r.Search.TargetTokens
}

// Early returns why the run ended before its result was minimal, or "".
func (r *Run) Early(ctx context.Context, result whittle.Result) string {
	switch {
	case result.Complete:
		return ""
	case ctx.Err() != nil && !TimeOver(ctx):
		return "it was interrupted"
	case r.smallEnough(result):
		return fmt.Sprintf("it ended by --target-tokens %d", r.Search.TargetTokens)
	case r.enoughTests(result):
		return fmt.Sprintf("it ended by --max-tests %d", r.Search.MaxTests)
	case r.MaxTime > 0:
		return fmt.Sprintf("it ended by --max-time %v", r.MaxTime)
	}
	return "it was stopped"
}

// Best returns the best file so far; nil before the input was tested.
func (r *Run) Best() []byte { return r.best }

// Words returns the command for the best file, with {} in place of the file.
func (r *Run) Words() []string {
	if r.list == nil {
		return r.Test.Argv
	}
	return r.called.Words()
}

// Called returns the test of the best file, with its arguments.
func (r *Run) Called() oracle.Spec { return r.called.Spec(r.Spec) }

// Course returns the progress until now; nil without --report.
func (r *Run) Course() *report.Course { return r.course.Course() }

// Text returns a candidate for the user: the command, if its arguments are reduced, then the
// file, or each file below its name.
func (r *Run) Text(candidate []byte) []byte {
	if called, ok := r.list.Open(candidate); ok {
		return r.text(called, " <==\n")
	}
	return candidate
}

func (r *Run) reported() []byte { return r.text(r.called, "\n") }

// text returns a file below its command, and each file of several below its name and mark.
func (r *Run) text(called tool.Invocation, mark string) (text []byte) {
	if r.list != nil {
		text = fmt.Appendf(nil, "$ %s\n", called.Shell(r.Spec.Name))
	}
	if r.Input.Set == nil {
		return append(text, called.File...)
	}
	entries, err := r.Input.Set.Entries(called.File)
	if err != nil {
		return called.File
	}
	for _, e := range entries {
		text = fmt.Appendf(text, "==> %s%s%s", e.Path, mark, e.Content)
		if n := len(e.Content); n > 0 && e.Content[n-1] != '\n' && mark != "\n" {
			text = append(text, '\n')
		}
	}
	return text
}
