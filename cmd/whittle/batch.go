package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"strings"
	"sync"

	"github.com/spf13/cobra"

	"whittle/internal/batch"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/process"
	"whittle/internal/run"
	"whittle/internal/view"
	"whittle/oracle"
)

// batching is a run of the batch command.
type batching struct {
	*flags
	given run.Test // the command for cases without a test
}

func batchCommand() *cobra.Command {
	f := &batching{}
	c := &cobra.Command{
		Use: "batch [flags] DIR... -- COMMAND [ARG]...\n" +
			"  whittle batch [flags] DIR...",
		Short: "Shrink every case of a folder, as a fuzzer leaves it",
		Long: `Shrink every case in DIR, in one process. The tests of all cases share the jobs.

Each file in DIR is a case of COMMAND, which has the same form as in 'whittle reduce',
with {} for the file. A folder in DIR is a case if it contains a test (test.sh, or its
only program) and one other file, or one file for COMMAND. A DIR with a test.sh is
itself a case. Arguments may also be files, such as crashes/*.c. whittle ignores
hidden files, README, COPYING and *.md, and files that it wrote.

A free worker runs the test whose outcome is the most likely to be used, of any case.
The result of a case is the same, byte for byte, as that of 'whittle reduce'. Results
and journals are next to the cases, or below the directory of --output.

A case that fails does not stop the others. whittle prints the results to stdout, in
groups with the same failure: the shortest first, then those that differ only in names
and white space. Ctrl-C keeps the best result of each case; after that, and after
kill -9, the same command continues. Journals are removed after the last case. With
--keep-journal they stay, and a later run reduces only new cases.

Exit codes: 0 all cases are reduced; 1 a case failed, or there are no cases; 2 wrong
usage; 3 the environment failed for a case, such as a full disk; 130 or 143 interrupted
by SIGINT or SIGTERM, with the best results kept.`,
		Example: "  whittle batch crashes/ -- gcc -O2 -c {}\n" +
			"  whittle batch -j 16 -o reduced/ findings/default/crashes -- ./parser {}\n" +
			"  whittle batch cases/\n" +
			"  whittle batch --one-each --input '*.c' crashes/ -- clang -O3 -c {}",
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args) },
	}
	f.flags = newFlags(c, onBatch)
	return c
}

func (f *batching) run(ctx context.Context, args []string) error {
	cases, err := f.cases(args)
	if err != nil {
		return err
	}
	c, err := f.config(f.given)
	if err != nil {
		return err
	}
	c.Stats, c.Output = "", "" // of the batch
	b := batch.New(cases, batch.Options{
		Run: c, Output: f.output, OneEach: f.oneEach, Memory: int64(process.FreeMemory() / 2),
	})
	t := teller{out: os.Stderr}
	end := func() {}
	switch {
	case f.quiet:
	case view.IsTerminal(os.Stderr):
		t.out, end = view.Rows(os.Stderr, b.Rows, b.Line)
	default:
		end = view.Lines(os.Stderr, b.Line)
	}
	say := func(who, text string) {
		if !f.quiet {
			t.say(who + ": " + text)
		}
	}
	b.Say = func(c *batch.Case, text string) { say(printable.Line(c.Name), text) }
	defer context.AfterFunc(ctx, func() { say("batch", "finishing; a second interrupt exits at once") })()
	defer interrupt.OnStatus(func() { t.say(b.Line()) })()
	err = b.Reduce(ctx)
	end()
	t.to(os.Stderr)
	say("batch", b.Summary())
	if b.Interrupted() {
		say("batch", "the same command continues from here")
	}
	err = cmp.Or(err, b.Print(stdout{}), f.failed(b))
	if f.stats != "" {
		err = errors.Join(err, f.write(b))
	}
	return err
}

// A teller writes lines. It is safe for concurrent use.
type teller struct {
	mu  sync.Mutex
	out io.Writer
}

func (t *teller) say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(printable.NewWriter(t.out), "whittle: %s\n", text)
}

// to sets the writer.
func (t *teller) to(out io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out = out
}

// write writes the statistics.
func (f *batching) write(b *batch.Batch) error {
	if err := b.WriteStats(f.stats); err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write --stats: %w", err)}
	}
	return nil
}

// failed returns an error if a case failed.
func (f *batching) failed(b *batch.Batch) error {
	failed, environment := 0, (*oracle.EnvironmentError)(nil)
	for _, r := range b.Runs {
		if s := r.State(); s.Phase == batch.Failed {
			failed++
			errors.As(s.Err, &environment)
		}
	}
	switch {
	case failed == 0:
		return nil
	case environment != nil:
		return exitError{exitEnvironment, fmt.Errorf("%d of %d cases could not be reduced", failed, len(b.Runs))}
	}
	return nof("%d of %d cases could not be reduced", failed, len(b.Runs))
}

// cases returns the cases that the arguments name.
func (f *batching) cases(args []string) ([]*batch.Case, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	paths := args
	if command := len(f.differs) > 0 || f.command.ArgsLenAtDash() >= 0; command {
		call, err := f.newCall(args)
		if err != nil {
			return nil, err
		}
		f.given, paths = call.test, call.inputs
	}
	if len(paths) == 0 {
		return nil, usagef("batch needs a DIR of cases; see 'whittle batch --help'")
	}
	l := batch.Layout{Command: f.given.Argv != nil || f.given.Differs != nil, Test: f.caseTest, Input: f.caseInput}
	cases, left, err := l.Find(paths)
	if err != nil {
		return nil, exitError{exitUsage, err}
	}
	for _, line := range left {
		if !f.quiet {
			fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %s\n", line)
		}
	}
	if len(cases) == 0 {
		return nil, nof("there are no cases in %s", strings.Join(paths, ", "))
	}
	return cases, nil
}
