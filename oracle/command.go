package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"whittle/algo"
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
	Argv        []string // absolute path of the test program, and its arguments
	Home        string   // what WHITTLE_TEST_DIR says; "" is the directory of the program
	Stdin       bool     // the candidate is also the standard input
	Layout               // how the candidate lies in the test's directory
	Interesting Criteria
	Timeout     time.Duration // limit for each test; 0 means that Patience says it
	Patience    *Patience     // nil means none
	Limits                    // of what a test may use
	Work        string        // existing directory in which each test gets its own
	Processes   *Processes    // if not nil, knows the tests that run
	Original    *Program      // if not nil, what must not change
}

// Placeholder stands for the candidate in the arguments of a Command.
const Placeholder = "{}"

// Arguments gives the program and its arguments as a test gets them. The
// candidate has no directory there, as the test runs beside it: so what a test
// does and says is the same each time.
func (c *Command) Arguments() []string {
	argv := slices.Clone(c.Argv)
	for i := range argv[1:] {
		argv[i+1] = strings.ReplaceAll(argv[i+1], Placeholder, c.argument())
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

// A Run is the full report of one test.
type Run struct {
	Outcome  algo.Outcome
	ExitCode int           // exit status of the test, -1 if a signal ended it
	Signal   string        // the signal that ended the test, as "segmentation fault"; "" if none did
	Timeout  time.Duration // the time limit it had, 0 for none
	TimedOut bool          // the test was killed because it exceeded that
	Exceeded Limit         // another limit that it exceeded
	Matched  bool          // the output matched Criteria.Output
	Reply    string        // of a Server: `it answered "unresolved"`, or why it did not; else ""
	Output   []byte        // end of what it wrote to stdout and stderr, interleaved: at most 64 KiB
	Elapsed  time.Duration // from the test's start until it and what it left behind were dead

	processor time.Duration  // that its processes have used, as far as that was seen
	signal    syscall.Signal // that ended it, or a program that it ran as a shell
}

// DiedBy gives the name of the signal that ended the test, or a program that it ran
// as a shell; "" if none did.
func (r Run) DiedBy() string {
	if r.signal == 0 {
		return ""
	}
	return unix.SignalName(r.signal)
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
func (c *Command) Explain(ctx context.Context, candidate []byte) (Run, error) {
	last := tail{limit: outputLimit}
	run, err := c.run(ctx, candidate, &last)
	if err != nil {
		return Run{}, err
	}
	run.Output = last.bytes()
	return run, nil
}

// run tests candidate in a directory of its own. The end of the output goes to
// last, unless that is nil. With an error the Run is zero.
func (c *Command) run(ctx context.Context, candidate []byte, last *tail) (Run, error) {
	if err := ctx.Err(); err != nil {
		return Run{}, err
	}
	if err := c.check(); err != nil {
		return Run{}, err
	}
	around, err := makeDirectory(c.Work)
	if err != nil {
		return Run{}, err
	}
	// What a test writes beside its directory goes with it.
	run, err := c.runIn(ctx, filepath.Join(around, "test"), candidate, last)
	if e := removeDirectory(around); err == nil {
		err = e
	}
	if err == nil {
		err = c.Original.check()
	}
	if e := ctx.Err(); e != nil {
		err = e
	}
	if err != nil {
		return Run{}, err
	}
	return run, nil
}

// check says whether the fields make sense.
func (c *Command) check() error {
	if len(c.Argv) == 0 || !filepath.IsAbs(c.Argv[0]) {
		return environmentError("the path of the test program is not absolute: %q", c.Argv)
	}
	return c.Layout.check()
}

// runIn makes and fills dir, runs the test in it and waits until its processes are dead.
func (c *Command) runIn(ctx context.Context, dir string, candidate []byte, last *tail) (Run, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return Run{}, environmentError("cannot make a directory for the test: %w%s", err, advice(err))
	}
	tmp, err := c.lay(dir, candidate)
	if err != nil {
		return Run{}, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return Run{}, environmentError("cannot give the test its standard input: %w", err)
	}
	defer null.Close()
	input, printed := null, null
	if c.Stdin {
		if input, err = os.Open(filepath.Join(dir, c.Name)); err != nil {
			return Run{}, environmentError("cannot give the test its standard input: %w", err)
		}
		defer input.Close()
	}
	var output *output
	if last != nil || c.Interesting.Output != nil {
		if output, err = readOutput(c.Interesting.Output, last); err != nil {
			return Run{}, err
		}
		printed = output.theirs
	}
	run, err := c.execute(ctx, tmp, &syscall.ProcAttr{
		Dir:   dir,
		Env:   testEnvironment(dir, tmp, cmp.Or(c.Home, filepath.Dir(c.Argv[0]))),
		Files: []uintptr{input.Fd(), printed.Fd(), printed.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if output != nil {
		run.Matched = output.close()
	}
	if err != nil {
		return Run{}, err
	}
	run.Outcome = c.Interesting.judge(&run)
	if c.Patience != nil {
		c.Patience.Took(run.Outcome, run.Elapsed, run.processor)
	}
	return run, nil
}

// execute runs the test and waits until its processes, which have mark in their
// environment, are dead. Then it says how the test ended.
func (c *Command) execute(ctx context.Context, mark string, attr *syscall.ProcAttr) (Run, error) {
	watch := c.Processes.stopwatch()
	g, err := c.Processes.startGroup(ctx, c.Arguments(), attr)
	if err != nil {
		return Run{}, err
	}
	run := Run{Timeout: c.TimeLimit()}
	var late atomic.Bool
	if run.Timeout > 0 {
		defer c.Processes.after(run.Timeout, func() {
			late.Store(true)
			g.kill()
		})()
	}
	guard := c.Limits.watch(g, filepath.Dir(attr.Dir), mark, c.processorLimit())
	defer context.AfterFunc(ctx, g.kill)()
	status, err := g.wait(mark)
	run.Exceeded = guard.stop(status.WaitStatus)
	if err != nil {
		return Run{}, environmentError("cannot wait for the test %s: %w", c.Argv[0], err)
	}
	run.ExitCode, run.Elapsed = status.ExitStatus(), watch.elapsed()
	run.processor = max(status.processor, time.Duration(guard.used.Load()))
	if run.Exceeded == processorLimit {
		run.Exceeded = NoLimit
		late.Store(true)
	}
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL && late.Load():
		run.TimedOut = true
		fallthrough
	case status.Signaled():
		run.signal = status.Signal()
		run.Signal = run.signal.String()
	case run.ExitCode > exitSignal:
		run.signal = syscall.Signal(run.ExitCode - exitSignal)
	}
	return run, nil
}

// testEnvironment gives the environment of a test that runs in dir, for a test
// program that is in home.
func testEnvironment(dir, tmp, home string) []string {
	ours := [...]string{
		"PWD=" + dir,
		"TMPDIR=" + tmp,
		"TMP=" + tmp,
		"TEMP=" + tmp,
		"WHITTLE_TEST_DIR=" + home,
	}
	env := os.Environ()
	kept := env[:0]
next:
	for _, e := range env {
		for _, o := range ours {
			if strings.HasPrefix(e, o[:strings.IndexByte(o, '=')+1]) {
				continue next
			}
		}
		kept = append(kept, e)
	}
	return append(kept, ours[:]...)
}

// environmentError formats an EnvironmentError.
func environmentError(format string, args ...any) error {
	return &EnvironmentError{Err: fmt.Errorf(format, args...)}
}

// advice says what to do about an error in a test's directory, as the end of
// its message.
func advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "; free some space there or set TMPDIR to a roomier place"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist),
		errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return "; set TMPDIR to a directory that can be written to"
	}
	return ""
}
