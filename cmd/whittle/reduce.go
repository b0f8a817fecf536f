package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
)

func reduceCommand() *cobra.Command {
	var f reduceFlags
	c := &cobra.Command{
		Use:   "reduce [flags] TEST FILE...\n  whittle reduce [flags] FILE... -- COMMAND [ARG]...\n  whittle reduce [flags] --server COMMAND FILE...",
		Short: "Shrink FILE while TEST exits with 0",
		Long: `Shrink FILE while TEST exits with 0.

TEST is a program, run without arguments in a fresh directory that holds the
candidate under the name of FILE. It exits with 0 if the candidate is
interesting, with 125 if it cannot tell, else with another code. Files of its own
it finds through $WHITTLE_TEST_DIR, the directory TEST is in. FILE itself is not
changed.

COMMAND is a test without a script. {} in its ARGs is the name of the candidate.
It too runs in a fresh directory: give ARGs that are files of yours by their
absolute names, as "$PWD/rules.txt".

With --server, COMMAND is a test that stays running: it starts once per job, in
the current directory. It reads the path of a candidate, a line, and answers with
a line: interesting, uninteresting or unresolved.

Of several FILEs, and of directories, the test finds what is left, by the same
names as seen from the current directory; of one outside of it, by its last
name. {} is the name of the first.

The best result so far is in the output at any time. An output that is a
device or a pipe, as /dev/stdout, gets the result at the end.

Each outcome is kept in a journal beside the output until all is done. If whittle
was stopped before, the same command goes on. SIGUSR1 asks for a line about how
it goes; a second SIGINT waits for nothing.

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting; 2 wrong
usage, FILE or TEST cannot be used; 3 the environment failed, for example by a
full disk; 130 or 143 interrupted by SIGINT or SIGTERM, with the best result kept.`,
		Example: "  whittle reduce test.sh small.c\n  whittle reduce -j 4 --timeout 5s -o tiny.c test.sh small.c\n  whittle reduce small.c -- gcc -O2 -c {}\n  whittle reduce --server 'java -cp . Oracle' in.xml\n  whittle reduce test.sh a.c b.h dir/",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := newCall(args, c.ArgsLenAtDash(), f.server)
			if err != nil {
				return err
			}
			return call.explainFailure(reduce(c.Context(), f, call))
		},
	}
	f.add(c)
	return c
}

// reduce is the command: it opens everything, lets whittle work, and reports.
func reduce(ctx context.Context, f reduceFlags, call call) error {
	subject, err := f.open(call)
	if err != nil {
		return err
	}
	command := subject.command
	out, path, err := subject.output(f, command.Argv[0])
	if err != nil {
		return err
	}
	journal, err := f.openJournal(path, call, subject)
	if err != nil {
		return err
	}
	defer journal.Close(true)
	if len(subject.kept) > 0 && !journal.Resumed() {
		return backUpExists(subject.kept[0])
	}
	file, input, language := subject.String(), subject.input, subject.language
	record, err := newRecord(f, command.Argv[0], subject, path)
	if err != nil {
		return err
	}
	defer record.close()
	closeWork, err := f.limitFlags.open(command, f.jobs)
	if err != nil {
		return err
	}
	defer closeWork()

	began := time.Now()
	talk := newTalk(f, file)
	subject.tell(talk)
	hurry, calm := secondSignal(func() { talk.line("finishing; a second interrupt ends at once") })
	defer calm()
	defer onStatus(talk.status)()
	talk.resumes(journal, input)
	command.Patience.Took(algo.Interesting, journal.Slowest())
	hold := hold(out, journal)
	best := false // out has the best file
	size := 0     // of it, without the heads of an archive
	write := func(file []byte) error {
		_, size = subject.measure(file)
		err := hold.write(file)
		best = err == nil
		return err
	}
	until, limit := newLimit(ctx, hurry, f.maxTime)
	defer limit.expire()
	test, end := newTester(ctx, call, command, f.jobs, input)
	defer end()
	trust := newTrust(f.trustFlags, test.Test, test.Explain, talk, besideResult(path, subject))
	refuted := func(file []byte) {
		hold.letGo()
		trust.refuted(file)
	}
	options := whittle.Options{
		Input: input, Language: language.Language,
		Property: trust.Test, Confirm: limit.confirm(trust.Again), Refuted: refuted,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs, Width: f.width,
		MaxTests: f.maxTests, MaxTime: f.maxTime, TargetTokens: f.targetTokens, Journal: journal,
		Started: func() error { // the input is interesting: the output may be touched
			talk.starts(f, file, language.Name, path)
			limit.start()
			if err := talk.begins(journal); err != nil {
				return err
			}
			if f.inPlace {
				if err := subject.backUp(out); err != nil {
					return err
				}
			}
			return write(input)
		},
		Improved: write,
		Decided: func(d whittle.Decision) {
			if subject.set != nil {
				d.BestBytes = size
			}
			talk.decided(d)
			record.decided(d)
		},
	}
	result, err := patiently(until, func() (whittle.Result, error) { return whittle.Reduce(ctx, options) })
	talk.end()
	if errors.Is(err, whittle.ErrUninteresting) && !errors.Is(err, whittle.ErrFlaky) {
		return orCause(ctx, explain(ctx, test, subject, call, talk))
	}
	if err = orCause(ctx, err); result.File == nil && ctx.Err() == nil {
		err = nil // Reduce did not come back when --max-time was over
	}
	if result.Complete && err == nil && hold.next != nil {
		err = hold.replace(hold.next)
	}
	if best {
		finished := out.finish(ctx, hurry)
		best = finished == nil
		err = errors.Join(err, finished)
	}
	if result.File == nil {
		if best {
			talk.line("%s has the best so far", path)
		}
		return err
	}
	record.finish(f, subject, result, time.Since(began))
	err = errors.Join(err, record.close())
	switch {
	case best && hold.next != nil:
		talk.line("%s has the best so far, of an earlier run", path)
	case best:
		talk.summary(path, subject, result)
	}
	talk.parts(journal, f.keepJournal || !result.Complete || err != nil, ctx.Err() != nil)
	return err
}

// orCause puts the signal in the place of the error that it led to.
func orCause(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
