package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/oracle"
)

// defaultTimeout is long enough for a slow compiler and a program to run, and
// short enough for the candidates that loop for ever.
const defaultTimeout = 30 * time.Second

// reduceFlags are the flags of the reduce command.
type reduceFlags struct {
	driver, algorithm, language string
	jobs                        int
	timeout                     time.Duration
	output                      string
	inPlace                     bool
	p0                          float64
	maxTests                    int
	maxTime                     time.Duration
	stats, trace                string
	verbose, quiet              bool
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

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting; 2 wrong
usage, FILE or TEST cannot be used; 3 the environment failed, as a full disk; 130 or
143 interrupted, the best result is kept.`,
		Example: "  whittle reduce test.sh small.c\n  whittle reduce -j 4 --timeout 5s -o tiny.c test.sh small.c",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("reduce needs a TEST and a FILE, and got %d arguments; see 'whittle reduce --help'", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return reduce(c.Context(), f, args[0], args[1]) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.driver, "driver", whittle.DefaultDriver, "how to walk the tree: "+strings.Join(whittle.Drivers(), ", "))
	flags.StringVar(&f.algorithm, "algorithm", whittle.DefaultAlgorithm, "how to minimise a list: "+strings.Join(algo.Names(), ", "))
	flags.StringVar(&f.language, "language", "", "a name from 'whittle languages' (default by the file's name, else lines)")
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.NumCPU(), "tests to run at once; the result is the same for every number")
	flags.DurationVar(&f.timeout, "timeout", defaultTimeout, "limit for each test; a candidate that takes longer is not interesting")
	flags.StringVarP(&f.output, "output", "o", "", "result file (default small.reduced.c for small.c)")
	flags.BoolVar(&f.inPlace, "in-place", false, "replace FILE and keep the original as FILE.orig")
	flags.Float64Var(&f.p0, "p0", whittle.DefaultP0, "initial probability of probdd, wprobdd and cdd, between 0 and 1")
	flags.IntVar(&f.maxTests, "max-tests", 0, "stop after so many tests with the best so far (default no limit)")
	flags.DurationVar(&f.maxTime, "max-time", 0, "stop after so long with the best so far (default no limit)")
	flags.StringVar(&f.stats, "stats", "", "write figures of the run to this file, as JSON")
	flags.StringVar(&f.trace, "trace", "", "write every candidate to this file, as JSON lines")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell of each step")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "tell of nothing but errors")
	c.MarkFlagsMutuallyExclusive("output", "in-place")
	c.MarkFlagsMutuallyExclusive("verbose", "quiet")
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
	case f.jobs < 1:
		return usagef("--jobs %d: at least one test must run at once", f.jobs)
	case f.timeout <= 0:
		return usagef("--timeout %v: a test needs some time", f.timeout)
	case f.maxTests < 0 || f.maxTime < 0:
		return usagef("--max-tests and --max-time cannot be negative")
	}
	return nil
}

// findLanguage gives the language to read the file as.
func (f *reduceFlags) findLanguage(file string) (grammars.Language, error) {
	if f.language == "" && f.driver == "list" {
		f.language = "lines"
	}
	if f.language == "" {
		return grammars.ForFile(file), nil
	}
	l, ok := grammars.Find(f.language)
	if !ok {
		return l, usagef("no language %q; 'whittle languages' lists them", f.language)
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
	input, info, err := readInput(file)
	if err != nil {
		return err
	}
	command, err := findTest(test)
	if err != nil {
		return err
	}
	command.Name, command.Mode, command.Timeout = filepath.Base(file), info.Mode().Perm()|0o600, f.timeout

	out := &output{path: file, mode: info.Mode().Perm()}
	if !f.inPlace {
		path := f.output
		if path == "" {
			path = resultPath(file)
		}
		if out, err = openOutput(path, info); err != nil {
			return err
		}
	} else if link, err := os.Lstat(file); err != nil || !link.Mode().IsRegular() {
		return usagef("%s is not a plain file, so it cannot be replaced in place", file)
	}
	record, err := newRecord(f)
	if err != nil {
		return err
	}
	defer record.close()
	if command.Work, err = os.MkdirTemp("", "whittle-"); err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot make a directory for the tests: %w; set TMPDIR to a writable place", err)}
	}
	defer os.RemoveAll(command.Work)

	began := time.Now()
	talk := newTalk(f, filepath.Base(file))
	started := false
	start := func() error { // the input is interesting: the output may be touched
		started = true
		if f.inPlace {
			return backUp(file, input, info.Mode().Perm())
		}
		return out.write(input)
	}
	result, err := whittle.Reduce(ctx, whittle.Options{
		Input: input, Language: language.Language, Property: command.Test,
		Driver: f.driver, Algorithm: f.algorithm, P0: f.p0, Jobs: f.jobs,
		MaxTests: f.maxTests, MaxTime: f.maxTime,
		Started:  start,
		Improved: out.write,
		Decided: func(d whittle.Decision) {
			talk.decided(d)
			record.decided(d)
		},
	})
	talk.end()
	if errors.Is(err, whittle.ErrUninteresting) {
		return explain(ctx, command, input, test, file)
	}
	if started {
		err = errors.Join(err, out.finish(result.File))
	}
	record.finish(f, language.Name, len(input), result, time.Since(began))
	if err = errors.Join(err, record.close()); err == nil || started && ctx.Err() != nil {
		talk.summary(out.path, len(input), result, time.Since(began))
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
		return nil, nil, usagef("%s is not a plain file", file)
	}
	input, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, usagef("cannot read the file to reduce: %w", err)
	}
	return input, info, nil
}

// findTest checks that the test can be run.
func findTest(test string) (*oracle.Command, error) {
	info, err := os.Stat(test)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no test %s", test)
	case err != nil:
		return nil, usageError{fmt.Errorf("test: %w", err)}
	case !info.Mode().IsRegular():
		return nil, usagef("the test %s is not a program", test)
	case info.Mode()&0o111 == 0:
		return nil, usagef("the test %s is not executable; run 'chmod +x %s'", test, test)
	}
	path, err := filepath.Abs(test)
	if err != nil {
		return nil, usageError{err}
	}
	return &oracle.Command{Path: path}, nil
}

// explain runs the test of the input once more and tells what it said.
func explain(ctx context.Context, command *oracle.Command, input []byte, test, file string) error {
	run, err := command.Explain(ctx, input)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s says no to %s as it is (", whittle.ErrUninteresting, test, file)
	switch {
	case run.TimedOut:
		fmt.Fprintf(&b, "no answer within %v, see --timeout", command.Timeout)
	case run.Signal != "":
		fmt.Fprintf(&b, "killed: %s", run.Signal)
	case run.Outcome == algo.Interesting:
		fmt.Fprint(&b, "yes the second time: the test is flaky")
	default:
		fmt.Fprintf(&b, "exit code %d", run.ExitCode)
	}
	path, _ := filepath.Abs(file)
	fmt.Fprintf(&b, ")\nIt ran in a fresh directory that held only the file. To see it again:\n  mkdir /tmp/again && cd /tmp/again && cp %s . && WHITTLE_TEST_DIR=%s %s; echo $?\n",
		quote(path), quote(filepath.Dir(command.Path)), quote(command.Path))
	if output := strings.TrimSpace(string(lastLines(run.Output, 20))); output != "" {
		fmt.Fprintf(&b, "The last it said:\n%s", indent(output))
	} else {
		fmt.Fprint(&b, "It said nothing.")
	}
	return uninteresting(b.String())
}

// uninteresting is ErrUninteresting with the reason.
type uninteresting string

func (u uninteresting) Error() string { return string(u) }
func (u uninteresting) Unwrap() error { return whittle.ErrUninteresting }
