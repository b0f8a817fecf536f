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
	"whittle/internal/interrupt"
	"whittle/internal/parsers"
	"whittle/internal/printable"
	"whittle/isolate"
	"whittle/oracle"
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
		Use:   "isolate [flags] TEST GOOD BAD\n  whittle isolate [flags] GOOD BAD -- COMMAND [ARG]...\n  whittle isolate [flags] --server COMMAND GOOD BAD",
		Short: "Find what makes BAD interesting, and GOOD not",
		Long: `Find what makes BAD interesting, and GOOD not.

GOOD and BAD are two files of one language: TEST says no to GOOD and yes to BAD,
as for 'whittle reduce'. Both go by the name of BAD while they are tested. What
leads from one to the other is taken apart into changes of single tokens, or lines
where the language is not known. By delta debugging, isolate finds two files between
the two, one of them interesting, that differ in as few changes as possible: none
of them can be made in the one, or undone in the other, with an answer that is yes
or no. A test that exits with 125, as it should if a file does not compile, or runs
out of time, is taken for neither; so is a file with more syntax errors than GOOD
and BAD have, which is not tested.

The difference goes to stdout as a unified diff. GOOD and BAD are not changed.

Exit codes: 0 done; 1 BAD is not interesting, or GOOD is, or not each time; 2 wrong
usage; 3 the environment failed, for example by a full disk; 130 or 143 interrupted
by SIGINT or SIGTERM, after what was found by then.`,
		Example: "  whittle isolate test.sh works.c crashes.c\n  whittle isolate -o bad.c --good good.c works.c crashes.c -- gcc -O2 -c {}",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := newCall(c.Name(), args, c.ArgsLenAtDash(), f.server)
			if err != nil {
				return err
			}
			if n := len(call.inputs); n != 2 {
				return usagef("isolate compares two files, GOOD and BAD, and got %s; see 'whittle isolate --help'", english.Plural(n, "file", ""))
			}
			return call.explainFailure(isolateFiles(c.Context(), c.OutOrStdout(), f, call))
		},
	}
	c.Flags().SortFlags = false
	f.runFlags.add(c)
	c.Flags().StringVarP(&f.output, "output", "o", "", "write the interesting file of the two to this `path`")
	c.Flags().StringVar(&f.good, "good", "", "write the other file to this `path`")
	f.addTalk(c)
	return c
}

// isolateFiles is the command.
func isolateFiles(ctx context.Context, w io.Writer, f isolateFlags, call call) error {
	i, err := openIsolation(ctx, f, call)
	defer i.close()
	if err != nil {
		return err
	}
	began := time.Now()
	found, err := interrupt.Wait(i.until, func() (found isolate.Result, err error) {
		found, err = i.find(ctx)
		if wrong := (&isolate.VersionError{}); errors.As(err, &wrong) {
			err = i.explain(ctx, call, wrong)
		}
		return found, err
	})
	i.talk.end()
	return i.finish(ctx, w, found, time.Since(began), interrupt.Cause(ctx, err))
}

// isolation is one run of isolate.
type isolation struct {
	flags           isolateFlags
	good, bad       *subject
	goodOut, badOut *sink.Output // nil for none
	test            oracle.Test
	talk            *talk

	until context.Context // when nobody waits for a result any more
	hurry context.Context // when a second signal has come

	closers
}

// openIsolation opens what an isolation needs. It is to be closed in any case.
func openIsolation(ctx context.Context, f isolateFlags, call call) (i *isolation, err error) {
	f.parsers = parsers.NewPool(f.jobs)
	i = &isolation{flags: f}
	i.later(f.parsers.Close)
	if err := f.check(); err != nil {
		return i, err
	}
	for _, file := range []struct {
		path string
		to   **subject
	}{{call.inputs[0], &i.good}, {call.inputs[1], &i.bad}} {
		in, err := sink.NewInput(false, file.path)
		if err != nil {
			return i, err
		}
		*file.to = newSubject(f.quiet, in)
		if err := f.readFile(*file.to, "to compare", linesForUnknown); err != nil {
			return i, err
		}
	}
	if bytes.Equal(i.good.Bytes, i.bad.Bytes) {
		return i, usagef("%s and %s are the same; isolate needs a difference", i.good, i.bad)
	}
	if err := f.prepare(i.bad, call); err != nil {
		return i, err
	}
	command := i.bad.command
	if f.output != "" && sink.SamePath(f.output, f.good) {
		return i, usagef("--output and --good are the same file %s", f.output)
	}
	if i.goodOut, err = i.open("--good", f.good, i.good); err != nil {
		return i, err
	}
	if i.badOut, err = i.open("--output", f.output, i.bad); err != nil {
		return i, err
	}
	closeWork, err := f.limitFlags.open(command, f.jobs)
	if err != nil {
		return i, err
	}
	i.later(closeWork)
	f.parsers.Spare(command.Reaper)
	i.talk = newTalk(f.runFlags, i.bad.String())
	hurry, calm := interrupt.Second(func() { i.talk.line("finishing; a second interrupt ends at once") })
	i.hurry = hurry
	i.later(calm)
	i.later(interrupt.OnStatus(i.talk.status))
	until, limit := interrupt.NewDeadline(ctx, hurry, 0)
	i.until = until
	i.later(limit.Close)
	test, end := newTest(ctx, call, command, f.jobs, i.bad.Bytes)
	i.test = test
	i.later(end)
	return i, nil
}

// open opens what a result goes to, of which a flag gives the path; nil if that
// is none.
func (i *isolation) open(flag, path string, of *subject) (*sink.Output, error) {
	if path == "" {
		return nil, nil
	}
	test := i.bad.command.Argv[0]
	for _, taken := range []struct{ path, what string }{{i.good.Paths[0], "GOOD"}, {i.bad.Paths[0], "BAD"}, {test, "the test"}} {
		if sink.SamePath(path, taken.path) {
			return nil, usagef("%s %s would overwrite %s; choose another path", flag, path, taken.what)
		}
	}
	out, err := sink.NewOutput(of.Input, path, test)
	if err != nil {
		return nil, err
	}
	out.Moved = func(path, kept string) { i.talk.moved(path, kept) }
	i.later(out.Release)
	return out, out.Claim()
}

// find finds the difference.
func (i *isolation) find(ctx context.Context) (isolate.Result, error) {
	return isolate.Find(ctx, isolate.Options{
		Good:     isolate.Version{File: i.good.Bytes, Language: i.good.language},
		Bad:      isolate.Version{File: i.bad.Bytes, Language: i.bad.language},
		Property: i.test.Ask,
		Jobs:     i.flags.jobs,
		Started: func() error {
			i.talk.does(printable.String(fmt.Sprintf("reading %s and %s as %s", i.good, i.bad, i.bad.language.Name)))
			return nil
		},
		Decided: func(d isolate.Decision) {
			state := fmt.Sprintf("%s of %s left, %s", count(d.Left), english.Plural(d.Changes, "change", ""), tests(d.Tests, 0))
			i.talk.does(state)
			if d.Accepted {
				i.talk.detail("%s", state)
			}
		},
	})
}

// explain says why a file does not have the outcome that it is to have.
func (i *isolation) explain(ctx context.Context, call call, wrong *isolate.VersionError) error {
	switch {
	case wrong.Bad:
		call.inputs = call.inputs[1:]
		return explain(ctx, i.test, i.bad, call, i.talk)
	case wrong.Outcome == algo.Interesting:
		return notApart(fmt.Sprintf("%[2]s is interesting like %[3]s: %[1]s says yes to it; "+
			"give a file that it says no to, or shrink %[3]s by 'whittle reduce'", call, i.good, i.bad))
	}
	run, err := i.test.Explain(ctx, i.good.Bytes)
	if err != nil {
		return err
	}
	return notApart(fmt.Sprintf("%s says neither yes nor no to %s (%s); give a file that it says no to",
		call, i.good, diagnose.Ending(run)))
}

// notApart says that a test does not tell two files apart.
type notApart string

func (n notApart) Error() string { return string(n) }

// finish writes what was found.
func (i *isolation) finish(ctx context.Context, w io.Writer, f isolate.Result, took time.Duration, err error) error {
	if flaky := (&isolate.FlakyError{}); errors.As(err, &flaky) {
		err = notApart(flaky.Error() + "; 'whittle check' tells more")
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
	diff := udiff.Unified(cmp.Or(i.flags.good, i.good.String()), cmp.Or(i.flags.output, i.bad.String()), string(f.Good), string(f.Bad))
	if _, printErr := io.WriteString(w, diff); err == nil && printErr != nil {
		return printErr
	}
	end := ""
	if err != nil {
		end = "; stopped early, fewer may do"
	}
	i.talk.line("%s of %s left, %s in %v%s", count(f.Left), english.Plural(f.Changes, "change", ""), tests(f.Tests, 0), took.Round(100*time.Millisecond), end)
	return err
}
