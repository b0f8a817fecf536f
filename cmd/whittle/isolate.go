package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/algo"
	"whittle/diagnose"
	"whittle/internal/advice"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/session"
	"whittle/isolate"
	"whittle/sink"
)

// isolateFlags are the flags of the isolate command.
type isolateFlags struct {
	runFlags
	output, good string // the paths of the two results; "" is none
}

func isolateCommand() *cobra.Command {
	var f isolateFlags
	c := &cobra.Command{
		Use: "isolate [flags] TEST GOOD BAD\n" +
			"  whittle isolate [flags] GOOD BAD -- COMMAND [ARG]...\n" +
			"  whittle isolate [flags] --server COMMAND GOOD BAD",
		Short: "Find what makes BAD interesting, and GOOD not",
		Long: `Find what makes BAD interesting, and GOOD not.

GOOD and BAD are two files of one language: TEST finds BAD interesting and GOOD not,
as for 'whittle reduce'. Both go by the name of BAD while they are tested. What
leads from one to the other is taken apart into changes of single tokens, or lines
where the language is not known. By delta debugging, isolate finds two files between
the two, one interesting and one not, that differ in as few changes as possible: if
any of them is made in the one, or undone in the other, the test cannot tell. That
is when it exits with 125, as it should if a file does not compile, or runs out of
time; and a file with more syntax errors than GOOD and BAD have is not tested.

The difference goes to stdout as a unified diff. GOOD and BAD are not changed.

Exit codes: 0 done; 1 BAD is not interesting, or GOOD is, or not each time; 2 wrong
usage; 3 the environment failed, for example by a full disk; 130 or 143 interrupted
by SIGINT or SIGTERM, after what was found by then.`,
		Example: "  whittle isolate test.sh works.c crashes.c\n" +
			"  whittle isolate -o bad.c --good good.c works.c crashes.c -- gcc -O2 -c {}",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := newCall(c.Name(), args, c.ArgsLenAtDash(), f.server)
			if err != nil {
				return err
			}
			if n := len(call.inputs); n != 2 {
				return usagef("isolate compares two files, GOOD and BAD, and got %s; see 'whittle isolate --help'",
					english.Plural(n, "file", ""))
			}
			return isolateFiles(c.Context(), c.OutOrStdout(), f, call)
		},
	}
	c.Flags().SortFlags = false
	f.runFlags.add(c)
	c.Flags().StringVarP(&f.output, "output", "o", "", "write the interesting file of the two to this `path`")
	c.Flags().StringVar(&f.good, "good", "", "write the other file to this `path`")
	f.addReport(c)
	return c
}

// isolateFiles is the command.
func isolateFiles(ctx context.Context, w io.Writer, f isolateFlags, call call) error {
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
	attention
	flags           isolateFlags
	good, bad       *session.Input
	goodOut, badOut *sink.Output // nil for none
	report          *reporter
}

// openIsolation opens what an isolation needs besides the session, which closes it.
func openIsolation(ctx context.Context, f isolateFlags, s *session.Session, call call) (*isolation, error) {
	i := &isolation{Session: s, flags: f}
	var err error
	if i.good, err = i.read(call.inputs[0]); err != nil {
		return nil, err
	}
	if i.bad, err = i.read(call.inputs[1]); err != nil {
		return nil, err
	}
	if bytes.Equal(i.good.Bytes, i.bad.Bytes) {
		return nil, usagef("%s and %s are the same; isolate needs a difference", i.good, i.bad)
	}
	if err := f.find(s, i.bad); err != nil {
		return nil, err
	}
	if f.output != "" && sink.SamePath(f.output, f.good) {
		return nil, usagef("--output and --good are the same file %s", f.output)
	}
	if i.goodOut, err = i.open("--good", f.good, i.good); err != nil {
		return nil, err
	}
	if i.badOut, err = i.open("--output", f.output, i.bad); err != nil {
		return nil, err
	}
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	i.report = newReporter(f.runFlags, i.bad.String())
	s.Warn = func(text string) { i.report.line("%s", text) }
	i.attention = attend(ctx, s, i.report, 0)
	return i, nil
}

func (i *isolation) read(path string) (*session.Input, error) {
	in, err := sink.NewInput(false, path)
	if err != nil {
		return nil, err
	}
	input, err := i.ReadFile(in, "to compare", session.LinesForUnknown)
	return input, explainWeight(err)
}

// open opens what a result goes to, of which a flag has the path; nil if that is
// none.
func (i *isolation) open(flag, path string, of *session.Input) (*sink.Output, error) {
	if path == "" {
		return nil, nil
	}
	for _, taken := range []struct{ path, what string }{
		{i.good.Paths[0], "GOOD"}, {i.bad.Paths[0], "BAD"}, {i.Program(), "the test"},
	} {
		if sink.SamePath(path, taken.path) {
			return nil, usagef("%s %s would overwrite %s; choose another path", flag, path, taken.what)
		}
	}
	out, err := sink.NewOutput(of.Input, path, i.Program())
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
	found, err := interrupt.Wait(i.until, func() (found isolate.Result, err error) {
		found, err = isolate.Find(ctx, i.options())
		if wrong := (*isolate.VersionError)(nil); errors.As(err, &wrong) {
			err = i.explain(ctx, wrong)
		}
		return found, err
	})
	i.report.end()
	return i.finish(ctx, w, found, time.Since(began), interrupt.Cause(ctx, err))
}

// options is what the library is to do.
func (i *isolation) options() isolate.Options {
	return isolate.Options{
		Good:     isolate.Version{File: i.good.Bytes, Language: i.good.Language},
		Bad:      isolate.Version{File: i.bad.Bytes, Language: i.bad.Language},
		Property: i.Once().Ask,
		Jobs:     i.flags.jobs,
		Started: func() error {
			i.report.does(printable.String(fmt.Sprintf("reading %s and %s as %s", i.good, i.bad, i.bad.Language.Name)))
			return nil
		},
		Decided: func(d isolate.Decision) {
			changes := english.Plural(d.Changes, "change", "")
			state := fmt.Sprintf("%s of %s left, %s", count(d.Left), changes, tests(d.Tests, 0))
			i.report.does(state)
			if d.Accepted {
				i.report.detail("%s", state)
			}
		},
	}
}

// explain says why a file does not have the outcome that it is to have.
func (i *isolation) explain(ctx context.Context, wrong *isolate.VersionError) error {
	switch {
	case wrong.Bad:
		c := advice.Case{Session: i.Session, Exceeded: i.flags.exceeded, Tell: i.report.line}
		return c.Uninteresting(ctx)
	case wrong.Outcome == algo.Interesting:
		return nof("%[2]s is interesting like %[3]s: %[1]s does not tell them apart; "+
			"give a file that is not, or shrink %[3]s by 'whittle reduce'", i.Test, i.good, i.bad)
	}
	run, err := i.Once().Explain(ctx, i.good.Bytes)
	if err != nil {
		return err
	}
	return nof("%s cannot tell whether %s is interesting (%s); give a file that is not",
		i.Test, i.good, diagnose.Ending(run))
}

// finish writes what was found.
func (i *isolation) finish(ctx context.Context, w io.Writer, f isolate.Result, took time.Duration, err error) error {
	if flaky := (&isolate.FlakyError{}); errors.As(err, &flaky) {
		err = nof("%w; 'whittle check' tells more", flaky)
	}
	if f.Changes == 0 {
		return err
	}
	for _, result := range []struct {
		to   *sink.Output
		file []byte
	}{{i.goodOut, f.Good}, {i.badOut, f.Bad}} {
		if result.to == nil {
			continue
		}
		if writeErr := cmp.Or(result.to.Write(result.file), result.to.Finish(ctx, i.hurry)); writeErr != nil {
			return cmp.Or(err, writeErr)
		}
	}
	diff := udiff.Unified(cmp.Or(i.flags.good, i.good.String()), cmp.Or(i.flags.output, i.bad.String()),
		string(f.Good), string(f.Bad))
	if _, printErr := io.WriteString(w, diff); err == nil && printErr != nil {
		return printErr
	}
	end := ""
	if err != nil {
		end = "; stopped early, fewer may do"
	}
	i.report.line("%s of %s left, %s in %v%s", count(f.Left), english.Plural(f.Changes, "change", ""),
		tests(f.Tests, 0), took.Round(100*time.Millisecond), end)
	return err
}
