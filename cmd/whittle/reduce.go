package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/internal/journal"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/view"
)

func reduceCommand() *cobra.Command {
	return withRun(onReduce, &cobra.Command{
		Use: "reduce [flags] [FILE]... -- COMMAND [ARG]...\n" +
			"  whittle reduce [flags] TEST FILE...\n" +
			"  whittle reduce [flags] --server COMMAND FILE...",
		Short: "Shrink FILE while it shows the same failure (the default)",
		Long: `Shrink FILE while COMMAND fails in the same way, or while TEST exits with 0.

COMMAND is a command that fails, such as a compiler that crashes. FILE or {} in it
stands for the candidate; without either, the candidate is its standard input.
whittle runs it on FILE, on an empty file and on garbage, to find out how to
recognise the failure: by the place of a compiler crash, an assertion, a signal, an
exception, a message, an exit code, or a hang. It prints the criterion, which every
candidate must meet; --interesting-... sets another. If COMMAND exits with 0, the
criterion is a message or line that it prints, otherwise exit code 0. Other
failures are other bugs: the smallest file of each is kept in small.other.
COMMAND runs in a fresh directory; names of other files become absolute, also in
scripts of sh -c. In the sandbox it finds files that it reports as missing. Its
arguments shrink together with FILE. Without FILE, or with a directory that no word
of COMMAND names, or if COMMAND is a build such as make that does not name FILE, it
runs in the root of this project; see docs/projects.md.

TEST is a program. It runs without arguments in a fresh directory that contains the
candidate, named like FILE. It exits with 0 if the candidate is interesting, with
125 if it cannot tell, and otherwise with another code. $WHITTLE_TEST_DIR is the
directory of TEST, for files that TEST needs. FILE itself does not change. whittle
refuses a TEST that finds an empty file or garbage interesting.

With --server, COMMAND is a test that keeps running. It starts once per job, in the
current directory. It reads lines, each the path of a candidate, and answers each
with a line: interesting, uninteresting or unresolved.

Several FILEs and directories are reduced together. The test finds the rest of them
under the same names, relative to the current directory; files outside of it have
their base names. {} is the first name.

If FILE is -, whittle reads standard input and writes the result to standard output.
--name sets the name that the test sees, for example of a result edited by hand.

The output file always contains the best result so far. A device or a pipe, such as
/dev/stdout, gets only the final result.

A journal next to the output keeps the outcome of each test until the reduction is
complete. After an interruption the same command continues. whittle does not
overwrite an output changed by others: it moves it to small.reduced.c.old. SIGUSR1
prints the progress. In a terminal, press ? for a list of keys; a second SIGINT
exits at once.

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting, the result
is empty, or TEST finds anything interesting; 2 wrong usage, or FILE or TEST cannot
be used; 3 the environment failed, such as a full disk or an unreachable cluster;
130 or 143 interrupted by SIGINT or SIGTERM, with the best result kept.`,
		Example: "  whittle small.c -- gcc -O2 -c {}\n" +
			"  whittle query.sql -- sqlite3 :memory:\n" +
			"  whittle test.sh small.c\n" +
			"  whittle -j 4 --timeout 5s -o tiny.c test.sh small.c\n" +
			"  whittle test.sh a.c b.h dir/\n" +
			"  whittle reduce --server 'java -cp . Oracle' in.xml",
	}, func(ctx context.Context, s *session) error {
		r := &reducing{session: s}
		r.Observe, r.Search.Control = r.observe, &r.control
		r.attend()
		started, err := run.Wait(s.limited, r.start)
		if err != nil {
			return r.early(err)
		}
		return started.run(ctx)
	})
}

// reducing is a run of the reduce command.
type reducing struct {
	*session
	control whittle.Control
	next    *reducing // of a stage that fails alone; may be nil
	ahead   bool      // the output has a better result of an earlier run
}

func (r *reducing) open(ctx context.Context) error {
	if err := r.Read(r.inputs); err != nil {
		return err
	}
	if text := r.Test.Project.String(); text != "" {
		r.report.line("%s", text)
	}
	input := r.Input.String()
	if r.Input.Set == nil {
		input = r.Spec.Layout.Name // a part of the work is in a directory of whittle
	}
	r.report.course.Does("testing " + printable.String(input))
	if err := r.Open(ctx); err != nil {
		return r.ExplainUnknown(ctx, err)
	}
	if err := r.report.recognises(ctx, r.Run, true); err != nil {
		return err
	}
	r.report.reads(r.Input)
	r.report.resumes(r.Journal)
	return nil
}

// observe receives the events of the reduction.
func (r *reducing) observe(e whittle.Event) {
	r.report.observe(e)
	if _, ok := e.(whittle.Started); !ok {
		return
	}
	r.report.starts(r.Run)
	for _, text := range r.Found.Describe(r.Input.String()) {
		r.report.line("%s", text)
	}
}

// early returns the error of a run that ended before the first test.
func (r *reducing) early(err error) error {
	if run.TimeOver(r.limited) && errors.Is(err, context.DeadlineExceeded) {
		return r.noTime()
	}
	if r.limited.Err() != nil {
		r.report.line(startsAgain)
	}
	return run.Cause(r.limited, err)
}

// startsAgain is the message if a run was interrupted before the first test.
const startsAgain = "no result yet; the same command starts again"

func (r *reducing) noTime() error {
	inputs := cmp.Or(r.Test.Project.Name(), strings.Join(r.inputs, ", "))
	if r.MaxTime == 0 {
		return usagef("you stopped whittle before the reduction of %s began", inputs)
	}
	return usagef("--max-time %v ended before the reduction of %s began; increase it", r.MaxTime, inputs)
}

func (r *reducing) fullOptions() view.FullOptions {
	most := 2 * max(r.Jobs, runtime.NumCPU())
	if r.Test.Server != "" {
		most = r.Jobs
	}
	seeks := "test: " + r.Test.String()
	if title := r.Failure.Title; title != "" {
		seeks = "looking for: " + title
	}
	return view.FullOptions{
		Keys: os.Stdin, Screen: os.Stderr, Most: most, Control: &r.control, Load: r.Load, Text: r.Text, Stop: r.Stop,
		Input: r.Input.String(), Output: r.Out.String(), How: r.Input.Language.Name + ", " + r.Search.Driver,
		Seeks: seeks, Jobs: r.Jobs, MaxTime: r.MaxTime,
	}
}

func (r *reducing) run(ctx context.Context) error {
	defer r.report.onPanic()
	r.report.text, r.report.course.Elsewhere, r.report.course.Warn = r.Text, r.Elsewhere, r.report.warn
	if f := r.flags; !f.plain && !f.quiet && view.IsFull(os.Stdin, os.Stderr) {
		full := view.NewFull(r.report.course, r.fullOptions())
		r.Host.OnStop(full.Suspend, full.Resume)
		r.report.show(full, full.End)
	}
	result, err := r.Reduce(r.limited)
	r.report.end()
	if why := r.Explain(err); why != nil {
		return r.advise(err, why)
	}
	kept := r.KeepJournal
	r.KeepJournal = kept || r.stages() // until the next run ends, so that the same command resumes
	end, err := r.finish(ctx, result, err)
	r.KeepJournal = kept
	if err == nil && r.stages() && !end.Stopped {
		if !r.Deleted(result) {
			err = r.stage(ctx)
		}
		if err == nil && result.Complete && r.limited.Err() == nil && !kept && !r.InPlace {
			journal.Remove(r.Journal.Path)
		}
	}
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, r.tell(r.limited, result))
	}
	if err == nil && r.Deleted(result) {
		return r.advise(fmt.Errorf("nothing is left of %s", r.Input), func(ctx context.Context) error {
			return r.Diagnosis().Nothing(ctx, r.Out.String())
		})
	}
	return err
}

// advise looks for the cause of err, a problem of the test. Without time left, it returns only err.
func (r *reducing) advise(err error, find func(context.Context) error) error {
	found := run.Do(r.limited, func() error { return find(r.limited) })
	if run.TimeOver(r.limited) && errors.Is(found, context.DeadlineExceeded) {
		return nof("%w; --max-time %v ended before the cause was found", err, r.MaxTime)
	}
	return found
}

// finish writes the result and prints a summary. err is the error of the reduction.
func (r *reducing) finish(ctx context.Context, result whittle.Result, err error) (run.End, error) {
	end, err := r.Finish(ctx, result, err)
	switch {
	case errors.Is(err, whittle.ErrNoTime):
		return end, r.noTime()
	case !end.Written:
	case end.Ahead:
		r.ahead = true
		r.report.line("%s has the best result so far, from an earlier run", r.Out.String())
	default:
		r.report.stages(r.Chain.Tallies())
		r.report.summary(r.Out.String(), r.Input.Input, result)
		r.report.needs(end)
		if text, loop := r.Sure(); text != "" {
			r.report.line("%s %s", r.Out.String(), text)
			if r.Out.Replaces() && r.Test.Server == "" {
				r.report.line("to see it: %s", printable.Line(loop))
			}
		}
	}
	r.report.others(r.Others, r.Chain.Slipped(), r.Looser())
	if end.Written && !end.Ahead && r.Out.Replaces() && r.Input.Set == nil {
		r.report.shows(result.File)
	}
	if end.Already && end.Written && !end.Ahead {
		r.report.line("%s was already reduced, and does not change", r.Out.String())
	}
	if end.Journal != nil {
		r.report.line("%v", end.Journal)
	}
	switch {
	case end.GoesOn:
		r.report.line("the same command continues from here")
	case end.Stopped && end.Written && r.Out.Replaces():
		r.report.line("there is no journal; to continue, reduce %s", r.Out.Path)
	case end.Stopped && !end.Written:
		r.report.line(startsAgain)
	}
	return end, err
}
