package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/isolation"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/view"
	"whittle/isolate"
)

func isolateCommand() *cobra.Command {
	return withRun(onIsolate, &cobra.Command{
		Use: "isolate [flags] TEST OLD NEW\n" +
			"  whittle isolate [flags] --git OLD..NEW TEST\n" +
			"  whittle isolate [flags] OLD NEW -- COMMAND [ARG]...\n" +
			"  whittle isolate [flags] --server COMMAND OLD NEW",
		Short: "Find which changes from OLD to NEW matter",
		Long: `Find which changes from OLD to NEW matter.

OLD and NEW are two files, two directories, or with --git two revisions of the
repository that contains the current directory: OLD..NEW, or OLD, which is compared with
the work tree.

COMMAND fails in NEW but not in OLD, or in OLD but not in NEW; whittle prints which.
It recognises the failure as 'whittle reduce' does. A version that fails in another way,
such as one that does not compile, is unresolved. A TEST instead exits with 0 for
NEW, with 125 if it cannot tell, and with another code for OLD.

A file is tested under the name of NEW; {} in COMMAND is that name. For directories and
repositories the test runs in the root of a tree: OLD with some of the changes, without
files of version control, and without files that git ignores, except for dependencies of
a COMMAND.

There are two questions. --want change: which few changes make OLD behave like NEW,
without the others? For directories and repositories the answer is a patch for 'git
apply'. --want difference: which two versions between OLD and NEW, one like each,
differ in as few changes as possible? This takes fewer tests. Changes are commits (with
--git), then files, then the parts that --level selects. With --shrink two files are
then reduced together, as long as the test tells them apart.

The difference goes to stdout. OLD, NEW and the repository do not change.

Exit codes: 0 done; 1 COMMAND or TEST does not tell OLD and NEW apart, or not each time;
2 wrong usage; 3 the environment failed, such as a full disk; 130 or 143 interrupted by
SIGINT or SIGTERM, with the answer so far. The same command continues.`,
		Example: "  whittle isolate works.c crashes.c -- gcc -O2 -c {}\n" +
			"  whittle isolate test.sh works.c crashes.c\n" +
			"  whittle isolate test.sh project-1.0/ project-1.1/ > matters.patch\n" +
			"  whittle isolate --git v1.0..v1.1 -- make check",
	}, isolateVersions)
}

func isolateVersions(ctx context.Context, s *session) error {
	f := s.flags
	s.NoJournal = s.NoJournal || f.checkOnly
	i, err := run.Wait(s.limited, func() (*isolating, error) { return openIsolation(s.limited, s) })
	switch {
	case run.TimeOver(s.limited) && errors.Is(err, context.DeadlineExceeded):
		return noTime(s.MaxTime)
	case err != nil:
		return err
	case f.checkOnly:
		return run.Do(ctx, func() error { return i.check(ctx) })
	}
	return i.run(ctx)
}

// isolating is a run of the isolate command.
type isolating struct {
	*isolation.Run
	flags   *flags
	report  *reporter
	out     io.Writer
	limited context.Context // ends at a signal or after --max-time
}

// openIsolation reads the versions and opens the isolation.
func openIsolation(ctx context.Context, s *session) (*isolating, error) {
	f := s.flags
	pair, err := f.readVersions(ctx, s.Run, s.inputs)
	if err != nil {
		return nil, err
	}
	if pair.Changes.Count == 0 {
		return nil, usagef("%s and %s are the same; isolate needs a difference", pair.Good, pair.Bad)
	}
	if err := s.Find(pair.Input); err != nil {
		return nil, err
	}
	s.MakeAvailable(pair.Good)
	if f.shrink && pair.Several() {
		return nil, usagef("--shrink is for two files; for more, give -o DIR and reduce that with 'whittle reduce'")
	}
	if s.Output != "" && output.SamePath(s.Output, f.good) {
		return nil, usagef("--output and --good are the same file %s", s.Output)
	}
	i, r := &isolating{flags: f, report: s.report, out: s.out, limited: s.limited}, s.report
	i.Run, err = isolation.Open(ctx, s.Run, pair, isolation.Options{
		Want: f.want, Algorithm: f.changesBy, Good: f.good,
		Started: func() {
			r.course.Does(printable.String(fmt.Sprintf("comparing %s and %s", pair.Good, pair.Bad)))
		},
		Decided: func(d isolate.Decision) {
			state := fmt.Sprintf("%s left, %s", i.share(d.Left, d.Changes), view.Tests(d.Tests, 0))
			r.course.Does(state)
			if d.Accepted {
				r.detail("%s", state)
			}
		},
	})
	if err != nil {
		return nil, run.Cause(ctx, s.ExplainUnknown(ctx, err))
	}
	r.course.Elsewhere = s.Elsewhere
	r.recognises(ctx, s.Run, false)
	for _, note := range pair.Notes {
		r.line("%s", note)
	}
	s.attend()
	r.resumes(i.Journal)
	s.Replay(s.Input.Bytes)
	return i, nil
}

func (i *isolating) share(left, of int) string { return count(left) + " of " + i.changes(of) }

// changes returns n with the name of the finest level.
func (i *isolating) changes(n int) string {
	if !i.Pair.Several() {
		return english.Plural(n, "change", "")
	}
	levels := i.Pair.Changes.Levels
	return english.Plural(n, levels[len(levels)-1].Name, "")
}

func (i *isolating) run(ctx context.Context) error {
	began := time.Now()
	found, err := run.Wait(i.limited, func() (found isolate.Result, err error) {
		found, err = i.Find(i.limited)
		if wrong := (*isolate.VersionError)(nil); errors.As(err, &wrong) {
			err = i.explain(ctx, wrong)
		}
		return found, err
	})
	if err == nil && i.flags.shrink && found.Complete {
		err = i.shrink(&found)
	}
	i.report.end()
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	if err = run.Cause(ctx, err); found.Changes == 0 {
		if i.Journal.Known() > 0 {
			i.report.line("the same command continues from here")
		} else if err == nil {
			err = noTime(i.MaxTime)
		}
		return err
	}
	return i.finish(ctx, found, time.Since(began), err)
}

// noTime returns the error of a run whose time ended before both versions were tested.
func noTime(most time.Duration) error {
	return usagef("--max-time %v ended before the two versions were tested; increase it", most)
}

func (i *isolating) shrink(found *isolate.Result) error {
	p, err := run.Wait(i.limited, func() (isolation.Shrunk, error) {
		return i.Shrink(i.limited, found, whittle.On(i.report.observe))
	})
	if p.Before > 0 {
		i.report.line("%s -> %s tokens in both, %s pairs tested", count(p.Before), count(p.After), count(p.Tested))
	}
	return err
}

// explain returns the reason for the wrong outcome of a version.
func (i *isolating) explain(ctx context.Context, wrong *isolate.VersionError) error {
	good, bad := i.Pair.Good, i.Pair.Bad
	switch {
	case i.InOld, i.Test.Inline && i.Failure.Title != "":
		return nof("the test is flaky: %s told %s and %s apart before, but not now; see 'whittle isolate --check'",
			i.Test, good, bad)
	case wrong.Bad:
		if o, err := i.Once().Ask(ctx, i.Pair.GoodFile()); err == nil && o == algo.Interesting {
			return nof("%s finds %s interesting and %s not; are they swapped?%s", i.Test, good, bad, i.swapped())
		}
		return i.ExplainUninteresting(ctx)
	case wrong.Outcome == algo.Interesting:
		return nof("%[2]s is interesting like %[3]s: %[1]s does not tell them apart; "+
			"give a version that is not, or reduce %[3]s with 'whittle reduce'", i.Test, good, bad)
	}
	run, err := i.Once().Explain(ctx, i.Pair.GoodFile())
	switch {
	case err != nil:
		return err
	case run.Outcome != wrong.Outcome:
		return nof("the test is flaky: %s was %v, and is now %v; see 'whittle check'",
			good, wrong.Outcome, run.Outcome)
	}
	return nof("%s cannot tell whether %s is interesting (%s); give a version that is not",
		i.Test, good, diagnose.Ending(run))
}

func (i *isolating) swapped() string {
	words, versions := []string{"whittle", "isolate"}, []string{i.Pair.Bad, i.Pair.Good}
	if revisions := i.flags.revisions; revisions != "" {
		old, new, found := strings.Cut(revisions, "..")
		if !found {
			return "" // the work tree is no revision
		}
		words, versions = append(words, "--git", new+".."+old), nil
	}
	test := i.Test.Argv
	if i.Test.Server != "" {
		test = []string{"--server", i.Test.Server}
	}
	return "\nIf so, run: " + shell.Join(slices.Concat(words, test, versions))
}

// side reports which version fails, and the effect of the changes that were found.
func (i *isolating) side(r isolate.Result) string {
	what, in := fmt.Sprintf("%s fails in", i.Test), i.Pair.Bad
	if i.Failure.Title == "" { // the user gave the criterion
		what = "the criterion holds for"
	}
	do := [2]string{"with these changes", "with this change"}
	if i.InOld {
		in, do = i.Pair.Good, [2]string{"these changes fix it", "this change fixes it"}
	}
	if r.Left == 1 {
		return fmt.Sprintf("%s %s: %s", what, in, do[1])
	}
	return fmt.Sprintf("%s %s: %s", what, in, do[0])
}

// finish writes the result and prints a summary. err is the error of the isolation.
func (i *isolating) finish(ctx context.Context, r isolate.Result, took time.Duration, err error) error {
	end, finishErr := i.Finish(ctx, i.out, r, err)
	if flaky := (&isolate.FlakyError{}); errors.As(err, &flaky) {
		err = nof("%w; see 'whittle check'", flaky)
	}
	if finishErr != nil {
		return cmp.Or(err, finishErr)
	}
	early := ""
	if !r.Complete {
		early = "; stopped early, fewer may do"
	}
	i.report.line("%s left, %s in %v%s%s", i.share(r.Left, r.Changes), view.Tests(r.Tests, r.Replayed),
		took.Round(100*time.Millisecond), i.report.course.There(), early)
	if i.Test.Inline {
		i.report.line("%s", i.side(r))
	}
	if end.Journal != nil {
		i.report.line("%v", end.Journal)
	}
	if end.GoesOn {
		i.report.line("the same command continues from here")
	}
	return err
}

// readVersions reads the versions, and sets --want and --level if they are not given.
func (f *flags) readVersions(ctx context.Context, s *run.Run, inputs []string) (*isolation.Pair, error) {
	directories := 0
	for _, path := range inputs {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("there is no %s to compare", path)
		}
		if err == nil && info.IsDir() {
			directories++
		}
	}
	switch {
	case directories == 1:
		return nil, usagef("only one of %s and %s is a directory; isolate compares two files or two directories",
			inputs[0], inputs[1])
	case directories == 0 && f.revisions == "" && f.level == "file":
		return nil, usagef("--level file: use hunk, line or token for two files")
	case directories == 0 && f.revisions == "":
		f.want, f.level = cmp.Or(f.want, isolation.Difference), cmp.Or(f.level, "token")
		return isolation.Files(s, inputs[0], inputs[1], f.level)
	}
	f.want, f.level = cmp.Or(f.want, isolation.Change), cmp.Or(f.level, "hunk")
	if f.revisions != "" {
		return isolation.Revisions(ctx, s, ".", f.revisions, f.level)
	}
	return isolation.Directories(s, inputs[0], inputs[1], f.level)
}
