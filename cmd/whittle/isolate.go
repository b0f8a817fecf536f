package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/diagnose"
	"whittle/internal/advice"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/record"
	"whittle/internal/session"
	"whittle/internal/versions"
	"whittle/isolate"
	"whittle/search/journal"
	"whittle/sink"
)

func isolateCommand() *cobra.Command {
	var f isolateFlags
	c := &cobra.Command{
		Use: "isolate [flags] TEST OLD NEW\n" +
			"  whittle isolate [flags] --git OLD..NEW TEST\n" +
			"  whittle isolate [flags] OLD NEW -- COMMAND [ARG]...\n" +
			"  whittle isolate [flags] --server COMMAND OLD NEW",
		Short: "Find which changes from OLD to NEW matter",
		Long: `Find which changes from OLD to NEW matter.

OLD and NEW are two files, two directories, or with --git two revisions of the
repository that the current directory is in: OLD..NEW, or OLD for that and the work
tree. TEST finds NEW interesting and OLD not, as for 'whittle reduce'. It exits with
125 if it cannot tell, as for what does not compile. Files go by the name of NEW while
they are tested; of directories and repositories the test runs in the root, with what is
in OLD and some of the changes made. Directories get no files that git would ignore, nor
what belongs to version control.

There are two questions. --want change: which few changes make OLD interesting, without
the others; the answer for directories and repositories is a patch that 'git apply'
takes. --want difference: which two versions between OLD and NEW, one interesting and
one not, differ in as few changes as possible; that takes fewer tests. Changes are
commits (with --git), then files, then what --level says.

The difference goes to stdout. OLD and NEW are not changed, nor is the repository.

Exit codes: 0 done; 1 NEW is not interesting, or OLD is, or not each time; 2 wrong
usage; 3 the environment failed, for example by a full disk; 130 or 143 interrupted
by SIGINT or SIGTERM, after what was found by then. The same command goes on.`,
		Example: "  whittle isolate test.sh works.c crashes.c\n" +
			"  whittle isolate test.sh project-1.0/ project-1.1/ > matters.patch\n" +
			"  whittle isolate --git v1.0..v1.1 ../test.sh",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.call(c.Name(), args, c.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return isolateVersions(c.Context(), c.OutOrStdout(), f, call)
		},
	}
	f.add(c)
	return c
}

// isolateVersions is the command.
func isolateVersions(ctx context.Context, w io.Writer, f isolateFlags, call call) error {
	if err := f.check(); err != nil {
		return err
	}
	s, err := f.begin(call.test)
	if err != nil {
		return err
	}
	defer s.Close()
	i, err := openIsolation(ctx, f, s, call)
	if err == nil {
		err = i.run(ctx, w)
	}
	return advice.ServerFailure(s, err)
}

// isolation is one run of isolate.
type isolation struct {
	*session.Session
	*versions.Pair
	attention
	flags           isolateFlags
	goodOut, badOut *sink.Output // nil for none
	journal         *journal.Journal
	record          *record.Recorder
	report          *reporter
}

// openIsolation opens what an isolation needs besides the session, which closes it.
func openIsolation(ctx context.Context, f isolateFlags, s *session.Session, call call) (*isolation, error) {
	i := &isolation{Session: s, flags: f}
	var err error
	if i.Pair, err = f.read(ctx, s, call.inputs); err != nil {
		return nil, explainWeight(err)
	}
	if i.Changes.Count == 0 {
		return nil, usagef("%s and %s are the same; isolate needs a difference", i.Good, i.Bad)
	}
	s.Repeat = f.repeat
	if err := f.find(s, i.Pair.Input); err != nil {
		return nil, err
	}
	if f.output != "" && sink.SamePath(f.output, f.good) {
		return nil, usagef("--output and --good are the same file %s", f.output)
	}
	if i.goodOut, err = i.open("--good", f.good, call.inputs); err != nil {
		return nil, err
	}
	if i.badOut, err = i.open("--output", f.output, call.inputs); err != nil {
		return nil, err
	}
	if !f.noJournal {
		if i.journal, err = i.openJournal(f.journalFlags, i.badOut); err != nil {
			return nil, err
		}
		s.Later(func() { i.journal.Close(true) })
	}
	if i.record, err = record.Open(f.stats, f.trace, false); err != nil {
		return nil, err
	}
	s.Later(func() { i.record.Close() })
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	i.report = newReporter(f.runFlags, i.Bad)
	s.Warn = func(text string) { i.report.line("%s", text) }
	for _, note := range i.Notes {
		i.report.line("%s", note)
	}
	i.attention = attend(ctx, s, i.report, 0)
	i.report.resumes(i.journal)
	s.Replay(i.journal)
	return i, nil
}

// open opens what a result goes to, of which a flag has the path; nil if that is
// none.
func (i *isolation) open(flag, path string, inputs []string) (*sink.Output, error) {
	if path == "" {
		return nil, nil
	}
	taken := []struct{ path, what string }{{i.Program(), "the test"}}
	for n, input := range inputs {
		taken = append(taken, struct{ path, what string }{input, []string{"OLD", "NEW"}[n]})
	}
	for _, taken := range taken {
		if sink.SamePath(path, taken.path) {
			return nil, usagef("%s %s would overwrite %s; choose another path", flag, path, taken.what)
		}
	}
	out, err := sink.NewOutput(i.Pair.Input.Input, path, i.Program())
	if err != nil {
		return nil, err
	}
	out.Moved = func(path, kept string) { i.report.moved(path, kept) }
	i.Later(out.Release)
	return out, out.Claim()
}

// run isolates, and says what came of it.
func (i *isolation) run(ctx context.Context, w io.Writer) error {
	began := time.Now()
	limited, cancel := ctx, func() {}
	if i.flags.maxTime > 0 {
		limited, cancel = context.WithTimeout(ctx, i.flags.maxTime)
	}
	defer cancel()
	found, err := interrupt.Wait(i.until, func() (found isolate.Result, err error) {
		found, err = isolate.Find(limited, i.options())
		if wrong := (*isolate.VersionError)(nil); errors.As(err, &wrong) {
			err = i.explain(ctx, wrong)
		}
		return found, err
	})
	i.report.end()
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil // the time was over
	}
	return i.finish(ctx, w, found, time.Since(began), interrupt.Cause(ctx, err))
}

// options is what the library is to do.
func (i *isolation) options() isolate.Options {
	last := i.Changes.Levels[len(i.Changes.Levels)-1].Name
	return isolate.Options{
		Changes: i.Changes, Property: i.Ask, Confirm: i.Once().Ask, Jobs: i.flags.jobs, By: i.flags.by(),
		MaxTests: i.flags.maxTests, Journal: i.journal,
		Started: func() error {
			i.report.does(printable.String(fmt.Sprintf("comparing %s and %s", i.Good, i.Bad)))
			return i.beginJournal()
		},
		Decided: func(d isolate.Decision) {
			state := fmt.Sprintf("%s of %s left, %s", count(d.Left), english.Plural(d.Changes, last, ""), tests(d.Tests, 0))
			i.report.does(state)
			if d.Accepted {
				i.report.detail("%s", state)
			}
			i.record.Decided(whittle.Decision{
				Pass: i.flags.want, Tokens: d.Left, Bytes: d.Bytes, Answer: d.Answer, Accepted: d.Accepted, Tests: d.Tests,
			})
		},
	}
}

// explain says why a version does not have the outcome that it is to have.
func (i *isolation) explain(ctx context.Context, wrong *isolate.VersionError) error {
	switch {
	case wrong.Bad:
		if good, err := i.Once().Ask(ctx, i.GoodFile()); err == nil && good == algo.Interesting {
			return nof("%s finds %s interesting and %s not: are they swapped?", i.Test, i.Good, i.Bad)
		}
		c := advice.Case{Session: i.Session, Exceeded: i.flags.exceeded, Tell: i.report.line}
		return c.Uninteresting(ctx)
	case wrong.Outcome == algo.Interesting:
		return nof("%[2]s is interesting like %[3]s: %[1]s does not tell them apart; "+
			"give a version that is not, or shrink %[3]s by 'whittle reduce'", i.Test, i.Good, i.Bad)
	}
	run, err := i.Once().Explain(ctx, i.GoodFile())
	if err != nil {
		return err
	}
	return nof("%s cannot tell whether %s is interesting (%s); give a version that is not",
		i.Test, i.Good, diagnose.Ending(run))
}

// finish writes what was found.
func (i *isolation) finish(ctx context.Context, w io.Writer, r isolate.Result, took time.Duration, err error) error {
	if flaky := (&isolate.FlakyError{}); errors.As(err, &flaky) {
		err = nof("%w; 'whittle check' tells more", flaky)
	}
	if r.Changes == 0 {
		return err
	}
	for _, result := range []struct {
		to   *sink.Output
		file []byte
	}{{i.goodOut, r.Good}, {i.badOut, r.Bad}} {
		if result.to == nil {
			continue
		}
		if writeErr := cmp.Or(result.to.Write(result.file), result.to.Finish(ctx, i.hurry)); writeErr != nil {
			return cmp.Or(err, writeErr)
		}
	}
	if printErr := i.print(ctx, w, r); err == nil && printErr != nil {
		return printErr
	}
	end := ""
	if !r.Complete {
		end = "; stopped early, fewer may do"
	}
	last := i.Changes.Levels[len(i.Changes.Levels)-1].Name
	i.report.line("%s of %s left, %s in %v%s", count(r.Left), english.Plural(r.Changes, last, ""),
		tests(r.Tests, r.Replayed), took.Round(100*time.Millisecond), end)
	i.keep(r, took)
	known := i.journal.Known()
	closed := i.journal.Close(i.flags.keepJournal || !r.Complete)
	if !r.Complete && closed == nil && known > 0 {
		i.report.line("the same command goes on from here")
	}
	return cmp.Or(err, i.record.Close(), closed)
}

// keep writes the figures of the run.
func (i *isolation) keep(r isolate.Result, took time.Duration) {
	i.record.Finish(record.Run{
		Driver: i.flags.want, Algorithm: i.flags.algorithm, Seed: 1, Language: i.Pair.Input.ReadBy(), Jobs: i.flags.jobs,
		Input: i.Pair.Input.Input, Elapsed: took,
		Result: whittle.Result{
			File: r.Bad, Tokens: r.Left, TokensAtAll: r.Changes, Tests: r.Tests, Replayed: r.Replayed,
			Cached: r.Cached, Cancelled: r.Cancelled, TestTime: r.TestTime, Complete: r.Complete,
		},
	})
}

// print writes the difference, below the commits that it is of.
func (i *isolation) print(ctx context.Context, w io.Writer, r isolate.Result) error {
	dir, remove, err := i.Scratch()
	if err != nil {
		return err
	}
	defer remove()
	diff, err := i.Diff(context.WithoutCancel(ctx), dir, cmp.Or(i.flags.good, i.Good), cmp.Or(i.flags.output, i.Bad), r)
	if err != nil {
		return err
	}
	for _, c := range i.CommitsOf(algo.Without(r.With, r.Without)) {
		fmt.Fprintf(w, "commit %s\nAuthor: %s\n    %s\n\n", c.Name, printable.String(c.Author), printable.String(c.Subject))
	}
	_, err = w.Write(diff)
	return err
}
