package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/oracle"
)

// defaultTimeout is long enough for a slow compiler and a program to run, and
// short enough for the candidates that loop for ever.
const defaultTimeout = 30 * time.Second

// gcPercent keeps the memory small: what whittle allocates are mostly files that
// it renders, used once.
const gcPercent = 40

// reduceFlags are the flags of the reduce command.
type reduceFlags struct {
	driver, algorithm, language string
	grammarFlags
	jobs           int
	timeout        time.Duration
	output         string
	inPlace        bool
	p0             float64
	maxTests       int
	maxTime        time.Duration
	stats, trace   string
	verbose, quiet bool
}

func reduceCommand() *cobra.Command {
	var f reduceFlags
	c := &cobra.Command{
		Use:   "reduce [flags] TEST FILE",
		Short: "Shrink FILE while TEST exits with 0",
		Long: `Shrink FILE while TEST exits with 0.

TEST is a program, run without arguments in a fresh directory that holds the
candidate under the name of FILE. It exits with 0 if the candidate is
interesting. Files of its own it finds through $WHITTLE_TEST_DIR, the directory
TEST is in. FILE itself is not changed.

The best result so far is in the output file at any time. An output that is a
device or a pipe, as /dev/stdout, gets the result at the end.

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting; 2 wrong
usage, FILE or TEST cannot be used; 3 the environment failed, for example by a
full disk; 130 or 143 interrupted by SIGINT or SIGTERM, with the best result kept.`,
		Example: "  whittle reduce test.sh small.c\n  whittle reduce -j 4 --timeout 5s -o tiny.c test.sh small.c",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("reduce needs a TEST and a FILE, and got %s; see 'whittle reduce --help'", english.Plural(len(args), "argument", ""))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return reduce(c.Context(), f, args[0], args[1]) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.driver, "driver", whittle.DefaultDriver, "how to walk the tree, a `driver`: "+strings.Join(whittle.Drivers(), ", "))
	flags.StringVar(&f.algorithm, "algorithm", whittle.DefaultAlgorithm, "how to minimise a list, an `algorithm`: "+strings.Join(algo.Names(), ", "))
	flags.StringVar(&f.language, "language", "", "read FILE as this `language`, see 'whittle languages' (default by the name of FILE, else structure)")
	f.grammarFlags.add(c)
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.NumCPU(), "`tests` to run at once; the result is the same for every number")
	flags.DurationVar(&f.timeout, "timeout", defaultTimeout, "limit of `time` for each test, as 5s or 2m; a candidate that takes longer is not interesting")
	flags.StringVarP(&f.output, "output", "o", "", "write the result to this `path` (default small.reduced.c beside small.c)")
	flags.BoolVar(&f.inPlace, "in-place", false, "replace FILE and keep the original as FILE.orig")
	flags.Float64Var(&f.p0, "p0", whittle.DefaultP0, "initial `probability` of probdd, wprobdd and cdd, between 0 and 1")
	flags.IntVar(&f.maxTests, "max-tests", 0, "stop after so many `tests` with the best so far (default no limit)")
	flags.DurationVar(&f.maxTime, "max-time", 0, "stop after this `time` with the best so far (default no limit)")
	flags.StringVar(&f.stats, "stats", "", "write figures of the run to this `path`, as JSON")
	flags.StringVar(&f.trace, "trace", "", "write every candidate to this `path`, as JSON lines")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell of each step")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "tell of nothing but errors")
	complete := func(flag string, names []string) {
		c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	}
	complete("driver", whittle.Drivers())
	complete("algorithm", algo.Names())
	var names []string
	for _, l := range grammars.All() {
		names = append(names, l.Name)
	}
	complete("language", names)
	return c
}

// check finds mistakes in the flags.
func (f *reduceFlags) check() error {
	switch {
	case !slices.Contains(whittle.Drivers(), f.driver):
		return usagef("no driver %q; there are %s", f.driver, strings.Join(whittle.Drivers(), ", "))
	case !slices.Contains(algo.Names(), f.algorithm):
		return usagef("no algorithm %q; there are %s", f.algorithm, strings.Join(algo.Names(), ", "))
	case f.language != "" && len(f.grammar) > 0:
		return usagef("--language and --grammar exclude each other")
	case f.start != "" && len(f.grammar) == 0:
		return usagef("--start %s: it is a rule of the grammar that --grammar gives, and there is none", f.start)
	case f.jobs < 1:
		return usagef("--jobs %d: at least one test must run at once", f.jobs)
	case f.timeout <= 0:
		return usagef("--timeout %v: a test needs some time", f.timeout)
	case !(f.p0 > 0 && f.p0 < 1):
		return usagef("--p0 %v: a probability between 0 and 1 is needed, and neither of them", f.p0)
	case f.maxTests < 0:
		return usagef("--max-tests %d: cannot be negative", f.maxTests)
	case f.maxTime < 0:
		return usagef("--max-time %v: cannot be negative", f.maxTime)
	case f.inPlace && f.output != "":
		return usagef("--output and --in-place exclude each other")
	case f.verbose && f.quiet:
		return usagef("--verbose and --quiet exclude each other")
	}
	return nil
}

// findLanguage gives the language to read the file as.
func (f *reduceFlags) findLanguage(file string) (grammars.Language, error) {
	if len(f.grammar) > 0 {
		return f.grammarFlags.open(f.quiet)
	}
	if f.language == "" && f.driver == "list" {
		f.language = "lines"
	}
	if f.language == "" {
		return grammars.ForFile(file), nil
	}
	l, ok := grammars.Find(f.language)
	if !ok {
		return l, usagef("no language %q; 'whittle languages' lists those there are", f.language)
	}
	return l, nil
}

// reduce is the command: it opens everything, lets whittle work, and reports.
func reduce(ctx context.Context, f reduceFlags, test, file string) error {
	if err := f.check(); err != nil {
		return err
	}
	language, err := f.findLanguage(file)
	if err != nil {
		return err
	}
	if language.FrontEnd != "antlr" { // ANTLR's tables are much to go through
		debug.SetGCPercent(gcPercent)
	}
	input, info, err := readInput(file)
	if err != nil {
		return err
	}
	command, err := findTest(test, info)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	command.Name, command.Mode, command.Timeout = filepath.Base(file), mode|0o600, f.timeout

	path := cmp.Or(f.output, resultPath(file))
	var out output
	if f.inPlace {
		path = file
		out, err = openInPlace(path, mode)
	} else {
		out, err = openOutput(path, file, test, mode)
	}
	if err != nil {
		return err
	}
	record, err := newRecord(f, test, file, path)
	if err != nil {
		return err
	}
	defer record.close()
	if command.Work, err = os.MkdirTemp("", "whittle-"); err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot make a directory for the tests: %w; set TMPDIR to a directory that can be written to", err)}
	}
	defer os.RemoveAll(command.Work)

	began := time.Now()
	talk := newTalk(f, filepath.Base(file))
	best := false // out has the best file
	write := func(file []byte) error {
		err := out.write(file)
		best = err == nil
		return err
	}
	until, timeIsUp := context.WithCancel(ctx)
	defer timeIsUp()
	options := whittle.Options{
		Input: input, Language: language.Language, Property: command.Test,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs,
		MaxTests: f.maxTests, MaxTime: f.maxTime,
		Started: func() error { // the input is interesting: the output may be touched
			talk.starts(f, file, language.Name, path)
			if f.maxTime > 0 {
				time.AfterFunc(f.maxTime, timeIsUp)
			}
			if f.inPlace {
				if err := backUp(file, input, mode); err != nil {
					return err
				}
			}
			return write(input)
		},
		Improved: write,
		Decided: func(d whittle.Decision) {
			talk.decided(d)
			record.decided(d)
		},
	}
	result, err := patiently(until, patience, func() (whittle.Result, error) { return whittle.Reduce(ctx, options) })
	talk.end()
	if errors.Is(err, whittle.ErrUninteresting) {
		return orCause(ctx, explain(ctx, command, input, test, file))
	}
	if err = orCause(ctx, err); result.File == nil && ctx.Err() == nil {
		err = nil // Reduce did not come back when --max-time was over
	}
	if best {
		finished := out.finish(ctx)
		best = finished == nil
		err = errors.Join(err, finished)
	}
	if result.File == nil {
		if best {
			talk.line("%s has the best so far", path)
		}
		return err
	}
	record.finish(f, language.Name, len(input), result, time.Since(began))
	err = errors.Join(err, record.close())
	if best {
		talk.summary(path, len(input), result)
	}
	return err
}

// orCause puts the signal in the place of the error that it led to.
func orCause(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// readInput reads the file to reduce.
func readInput(file string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, usagef("there is no file %s to reduce", file)
	case err == nil && info.IsDir():
		return nil, nil, usagef("%s is a directory; whittle reduces one file", file)
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, usagef("%s is not a plain file; copy it to one to reduce it", file)
	}
	input, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, usagef("cannot read the file to reduce: %w", err)
	}
	return input, info, nil
}

// findTest checks that the test can be run.
func findTest(test string, input fs.FileInfo) (*oracle.Command, error) {
	info, err := os.Stat(test)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no test %s", test)
	case err != nil:
		return nil, usagef("cannot use the test: %w", err)
	case info.IsDir():
		return nil, usagef("the test %s is a directory; it must be a program", test)
	case !info.Mode().IsRegular():
		return nil, usagef("the test %s is not a program", test)
	case info.Mode()&0o111 == 0 && input.Mode()&0o111 != 0:
		return nil, usagef("the test %s is not executable, but the file to reduce is; the test comes first: whittle reduce TEST FILE", test)
	case info.Mode()&0o111 == 0:
		return nil, usagef("the test %s is not executable; run: chmod +x %s", test, quote(test))
	}
	path, err := filepath.Abs(test)
	if err != nil {
		return nil, usagef("cannot find the test %s: %w", test, err)
	}
	return &oracle.Command{Path: path}, nil
}
