package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/batch"
	"whittle/internal/printable"
	"whittle/internal/process"
	"whittle/internal/run"
	"whittle/internal/view"
	"whittle/oracle"
)

func batchCommand() *cobra.Command {
	var f *flags
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
		RunE: func(c *cobra.Command, args []string) error { return f.batch(c.Context(), args) },
	}
	f = newFlags(c, onBatch)
	return c
}

func (f *flags) batch(ctx context.Context, args []string) error {
	paths, test := args, run.Test{} // for cases without a test
	if command := len(f.differs) > 0 || f.command.ArgsLenAtDash() >= 0; command {
		call, err := f.newCall(args)
		if err != nil {
			return err
		}
		paths, test = call.inputs, call.test
	}
	c, err := f.config(test)
	if err != nil {
		return err
	}
	r := newReporter(f.verbose, f.quiet, "")
	l := batch.Layout{Command: test.Argv != nil || test.Differs != nil, Test: f.caseTest, Input: f.caseInput}
	cases, err := findCases(l, paths, r.warn)
	if err != nil {
		return err
	}
	c.Stats, c.Output = "", "" // of the batch
	b := batch.New(cases, batch.Options{
		Run: c, Output: f.Output, OneEach: f.oneEach, Memory: int64(process.FreeMemory() / 2),
		Say: func(c *batch.Case, text string) { r.line("%s: %s", printable.Line(c.Name), text) },
	})
	if !f.quiet {
		r.out, r.end = view.Follow(os.Stderr, b.Rows, b.Line)
	}
	say := func(text string) { r.line("batch: %s", text) }
	defer run.Attend(ctx, say, func() { r.say("%s", b.Line()) })()
	err = b.Reduce(ctx)
	r.end()
	say(b.Summary())
	if b.Interrupted() {
		say("the same command continues from here")
	}
	return errors.Join(cmp.Or(err, b.Print(stdout{}), failed(b)), b.WriteStats(f.Stats))
}

func failed(b *batch.Batch) error {
	failed, format := 0, nof
	for _, r := range b.Runs {
		if s := r.State(); s.Phase == batch.Failed {
			failed++
			if errors.As(s.Err, new(*oracle.EnvironmentError)) {
				format = oracle.Errorf
			}
		}
	}
	if failed == 0 {
		return nil
	}
	return format("%d of %d cases could not be reduced", failed, len(b.Runs))
}

// findCases returns the cases in paths, and warns of ignored folders.
func findCases(l batch.Layout, paths []string, warn func(string)) ([]*batch.Case, error) {
	if len(paths) == 0 {
		return nil, usagef("batch needs a DIR of cases; see 'whittle batch --help'")
	}
	cases, ignored, err := l.Find(paths)
	if err != nil {
		return nil, err
	}
	for _, line := range ignored {
		warn(line)
	}
	if len(cases) == 0 {
		needs := "; files need a COMMAND after --, and a folder a test"
		if l.Command {
			needs = ""
		}
		return nil, nof("there are no cases in %s%s", strings.Join(paths, ", "), needs)
	}
	return cases, nil
}
