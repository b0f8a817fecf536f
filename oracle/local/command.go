// Package local runs tests as processes of this machine.
package local

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"whittle/algo"
	"whittle/internal/environment"
	"whittle/internal/process"
	"whittle/oracle"
)

// A Command is a property decided by a test program. The contract is that of
// C-Reduce: the program runs in a fresh private directory that holds the
// candidate under Name, and exits with 0 if the candidate is interesting.
//
// The program finds
//   - the candidate, and beside it only an empty hidden directory, to which
//     TMPDIR, TMP and TEMP are set;
//   - the arguments of Argv, with the candidate's name for each Placeholder;
//   - the caller's environment, with PWD corrected and WHITTLE_TEST_DIR set to
//     Home, where its auxiliary files are;
//   - the candidate as standard input if Stdin is set, else /dev/null.
//
// A program without a #! line is run by /bin/sh, as a shell would.
//
// How the test ends decides. By the zero Criteria exit status 0 is Interesting,
// 125 is Unresolved as in git bisect, every other status and every death by a
// signal is Uninteresting. A test that is still running after Timeout, or exceeds a
// limit of Patience, is killed and Unresolved; one that ends by itself is judged by its end, however late
// that is noticed.
//
// The test leads a process group of its own. When its main process has ended,
// for whatever reason, the whole group is killed with SIGKILL: processes left
// in the background do not outlive the test. On Linux processes that left the
// group, as setsid and timeout make them do, are found by their environment
// and killed too; those that also wiped that are killed by Processes, if it
// adopts. One that changed its user escapes. On other systems those that left
// the group escape. Then the directory is removed with what the test wrote
// beside it, even if it made parts of it inaccessible.
//
// A Command may be used from several goroutines at once. Its fields must not
// change meanwhile.
type Command struct {
	Argv          []string // absolute path of the test program, and its arguments
	Home          string   // what WHITTLE_TEST_DIR says; "" is the directory of the program
	Stdin         bool     // the candidate is also the standard input
	oracle.Layout          // how the candidate lies in the test's directory
	Interesting   oracle.Criteria
	Timeout       time.Duration           // limit for each test; 0 means that Patience says it
	Patience      *oracle.AdaptiveTimeout // nil means none
	oracle.Limits                         // of what a test may use
	Work          string                  // existing directory in which each test gets its own
	Processes     *Reaper                 // if not nil, knows the tests that run
	Original      *Program                // if not nil, what must not change
}

// Arguments gives the program and its arguments as a test gets them. The
// candidate has no directory there, as the test runs beside it: so what a test
// does and says is the same each time.
func (c *Command) Arguments() []string {
	argv := slices.Clone(c.Argv)
	for i := range argv[1:] {
		argv[i+1] = strings.ReplaceAll(argv[i+1], oracle.Placeholder, c.Argument())
	}
	return argv
}

// TimeLimit gives how long a test may take from now on, 0 for any time.
func (c *Command) TimeLimit() time.Duration {
	if c.Timeout == 0 && c.Patience != nil {
		return c.Patience.Limit()
	}
	return c.Timeout
}

// processorLimit gives how much processor time a test may use from now on, 0
// for any.
func (c *Command) processorLimit() time.Duration {
	if c.Timeout == 0 && c.Patience != nil {
		return c.Patience.Processor()
	}
	return 0
}

// Test runs the test program on candidate and discards what it prints. It is a
// Property.
//
// If ctx is done, the test is killed and the error is ctx.Err(). Every other
// error is an *EnvironmentError. The test's processes are dead and its
// directory is gone when Test returns, within the limits that Command states;
// if the directory cannot be removed, that is an error.
func (c *Command) Test(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	run, err := c.run(ctx, candidate, nil)
	return run.Outcome, err
}

// Explain does what Test does and reports all of it. It keeps the last 64 KiB
// of the output, in bounded memory however much there is, and does not wait for
// processes that hold the output open after the test ended.
//
// Errors are those of Test; with an error the Run is zero.
func (c *Command) Explain(ctx context.Context, candidate []byte) (oracle.Run, error) {
	last := process.Tail{Limit: process.OutputLimit}
	run, err := c.run(ctx, candidate, &last)
	if err != nil {
		return oracle.Run{}, err
	}
	run.Output = last.Bytes()
	return run, nil
}

// run tests candidate in a directory of its own. The end of the output goes to
// last, unless that is nil. With an error the Run is zero.
func (c *Command) run(ctx context.Context, candidate []byte, last *process.Tail) (oracle.Run, error) {
	if err := ctx.Err(); err != nil {
		return oracle.Run{}, err
	}
	if err := c.Check(); err != nil {
		return oracle.Run{}, err
	}
	around, err := process.MakeDirectory(c.Work)
	if err != nil {
		return oracle.Run{}, err
	}
	// What a test writes beside its directory goes with it.
	run, err := c.runIn(ctx, filepath.Join(around, "test"), candidate, last)
	if e := process.RemoveDirectory(around); err == nil {
		err = e
	}
	if err == nil {
		err = c.Original.check()
	}
	if e := ctx.Err(); e != nil {
		err = e
	}
	if err != nil {
		return oracle.Run{}, err
	}
	return run, nil
}

// Check says whether the fields make sense.
func (c *Command) Check() error {
	if len(c.Argv) == 0 || !filepath.IsAbs(c.Argv[0]) {
		return environment.Errorf("the path of the test program is not absolute: %q", c.Argv)
	}
	return c.Layout.Check()
}

// runIn makes and fills dir, runs the test in it and waits until its processes are dead.
func (c *Command) runIn(ctx context.Context, dir string, candidate []byte, last *process.Tail) (oracle.Run, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return oracle.Run{}, environment.Errorf("cannot make a directory for the test: %w%s", err, environment.Advice(err))
	}
	tmp, err := process.Lay(&c.Layout, dir, candidate)
	if err != nil {
		return oracle.Run{}, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return oracle.Run{}, environment.Errorf("cannot give the test its standard input: %w", err)
	}
	defer null.Close()
	input, printed := null, null
	if c.Stdin {
		if input, err = os.Open(filepath.Join(dir, c.Name)); err != nil {
			return oracle.Run{}, environment.Errorf("cannot give the test its standard input: %w", err)
		}
		defer input.Close()
	}
	var output *process.Output
	if last != nil || c.Interesting.Output != nil {
		if output, err = process.ReadOutput(c.Interesting.Output, last); err != nil {
			return oracle.Run{}, err
		}
		printed = output.Theirs
	}
	run, err := c.execute(ctx, tmp, &syscall.ProcAttr{
		Dir:   dir,
		Env:   process.Environment(dir, tmp, cmp.Or(c.Home, filepath.Dir(c.Argv[0]))),
		Files: []uintptr{input.Fd(), printed.Fd(), printed.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if output != nil {
		run.Matched = output.Close()
	}
	if err != nil {
		return oracle.Run{}, err
	}
	run.Outcome = c.Interesting.Judge(&run)
	if c.Patience != nil {
		c.Patience.Took(run.Outcome, run.Elapsed, run.Processor)
	}
	return run, nil
}

// execute runs the test and waits until its processes, which have mark in their
// environment, are dead. Then it says how the test ended.
func (c *Command) execute(ctx context.Context, mark string, attr *syscall.ProcAttr) (oracle.Run, error) {
	watch := c.Processes.Stopwatch()
	g, err := c.Processes.Start(ctx, c.Arguments(), attr)
	if err != nil {
		return oracle.Run{}, err
	}
	run := oracle.Run{Timeout: c.TimeLimit()}
	var late atomic.Bool
	if run.Timeout > 0 {
		defer c.Processes.After(run.Timeout, func() {
			late.Store(true)
			g.Kill()
		})()
	}
	guard := g.Watch(c.Limits, filepath.Dir(attr.Dir), mark, c.processorLimit())
	defer context.AfterFunc(ctx, g.Kill)()
	status, err := g.Wait(mark)
	run.Exceeded = guard.Stop(status.WaitStatus)
	if err != nil {
		return oracle.Run{}, environment.Errorf("cannot wait for the test %s: %w", c.Argv[0], err)
	}
	run.ExitCode, run.Elapsed = status.ExitStatus(), watch.Elapsed()
	run.Processor = max(status.Processor, time.Duration(guard.Used.Load()))
	if run.Exceeded == oracle.ProcessorLimit {
		run.Exceeded = oracle.NoLimit
		late.Store(true)
	}
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL && late.Load():
		run.TimedOut = true
		fallthrough
	case status.Signaled():
		run.Died = status.Signal()
		run.Signal = run.Died.String()
	case run.ExitCode > oracle.ExitSignal:
		run.Died = syscall.Signal(run.ExitCode - oracle.ExitSignal)
	}
	return run, nil
}
