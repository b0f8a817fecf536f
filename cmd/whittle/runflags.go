package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/batch"
	"whittle/internal/elsewhere"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/usage"
)

// runFlags are those of all commands that test files: how a file is read, what
// runs, and what is told.
type runFlags struct {
	language string
	grammarFlags
	testFlags
	limitFlags
	elsewhere      elsewhere.Flags
	jobs           int
	verbose, quiet bool

	shared batch.Shared // with other sessions; zero is nothing
}

func (f *runFlags) add(c *cobra.Command) {
	f.addReading(c)
	f.testFlags.add(c)
	c.Flags().IntVarP(&f.jobs, "jobs", "j", runtime.NumCPU(), "`tests` to run at once; "+
		"the result is the same for every number")
	usage.Group(c.Flags(), usage.Limits, "jobs")
	f.limitFlags.add(c)
	f.elsewhere.Add(c)
}

// addReading adds those that say how a file is read.
func (f *runFlags) addReading(c *cobra.Command) {
	c.Flags().StringVar(&f.language, "language", "", "read FILE as this `language`, as c++ or py, "+
		"see 'whittle languages' (default by the name of FILE, else structure)")
	usage.Group(c.Flags(), usage.Input, "language")
	f.grammarFlags.add(c)
	complete(c, "language", languageNames())
}

func languageNames() (names []string) {
	for _, l := range grammars.All() {
		names = append(names, l.Name)
	}
	return names
}

// addReport adds those that come last.
func (f *runFlags) addReport(c *cobra.Command) {
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "tell of each step")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "tell of nothing but errors")
	usage.Group(c.Flags(), usage.Telling, "verbose", "quiet")
}

// complete tells shells what a flag may be.
func complete(c *cobra.Command, flag string, names []string) {
	c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// check finds mistakes in the flags.
func (f *runFlags) check() error {
	if err := f.checkReading(); err != nil {
		return err
	}
	switch {
	case f.jobs < 1:
		return usagef("--jobs %d: at least one test must run at once", f.jobs)
	case f.verbose && f.quiet:
		return usagef("--verbose and --quiet exclude each other")
	}
	if err := f.limitFlags.check(); err != nil {
		return err
	}
	if err := f.testFlags.check(f.timeout > 0); err != nil {
		return err
	}
	err := f.elsewhere.Check(f.server != "", f.interesting)
	f.jobs = f.elsewhere.Jobs(f.jobs)
	return err
}

// checkReading finds mistakes in the flags that say how a file is read.
func (f *runFlags) checkReading() error {
	switch {
	case f.language != "" && len(f.grammar) > 0:
		return usagef("--language and --grammar exclude each other")
	case f.start != "" && len(f.grammar) == 0:
		return usagef("--start %s: it is a rule of the grammar that --grammar gives, and there is none", f.start)
	}
	return nil
}

// begin begins a session, which is to be closed. It waits for nothing that is late when ctx
// has ended.
func (f *runFlags) begin(ctx context.Context, test run.Test) (*run.Run, error) {
	language, err := f.findLanguage()
	if err != nil {
		return nil, err
	}
	return run.New(run.Config{
		Test: test, Language: language, Grammar: f.grammar,
		Stdin: f.stdin, Interesting: f.interesting, InterestingText: f.interestingText(), Frames: f.frames,
		Timeout: f.timeout, Limits: f.limits, Sandbox: f.sandbox, WorkDir: f.workDir, Jobs: f.jobs,
		Retry: f.elsewhere.Retry, Remote: f.elsewhere.Remote,
		Host: f.shared.Host, Turn: f.shared.Turn, Late: interrupt.Late(ctx),
		Warn: func(text string) {
			switch {
			case f.quiet:
			case f.shared.Warn != nil:
				f.shared.Warn(text)
			default:
				fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %s\n", text)
			}
		},
	}), nil
}

// findLanguage returns the language that the flags say; nil if they say none.
func (f *runFlags) findLanguage() (*grammars.Language, error) {
	if len(f.grammar) > 0 {
		l, err := f.grammarFlags.open(f.quiet)
		return &l, err
	}
	if f.language == "" {
		return nil, nil
	}
	l, ok := grammars.Find(f.language)
	if !ok {
		return nil, usagef("no language %q%s; 'whittle languages' lists those there are",
			f.language, usage.DidYouMean(f.language, languageNames()))
	}
	return &l, nil
}

// find finds the test for an input, which must find room.
func (f *runFlags) find(s *run.Run, in *run.Input) error {
	if err := s.Find(in); err != nil {
		return err
	}
	if disk := f.limits.Disk; disk > 0 && uint64(len(in.Bytes)) > disk {
		return usagef("%s has %s, and a test may write %s: give it more by --disk-limit",
			in, humanize.IBytes(uint64(len(in.Bytes))), humanize.IBytes(disk))
	}
	return nil
}

// attend answers signals until the session is closed: it says that an interrupt was heard,
// and how the run is going.
func attend(ctx context.Context, s *run.Run, r *reporter) {
	heard := context.AfterFunc(ctx, func() {
		if !interrupt.TimeOver(ctx) {
			r.line("finishing; a second interrupt ends at once")
		}
	})
	s.Later(func() { heard() })
	s.Later(interrupt.OnStatus(r.status))
}
