// Package local runs tests as processes of this machine.
package local

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// An Executor runs each test in its own directory and process group, with its own limits. /bin/sh
// runs a program without a #! line, as a shell would.
//
// When the main process of a test ends, its whole group gets SIGKILL: background processes do not
// outlive it. On Linux, processes that left the group, as by setsid and timeout, are recognised
// by their environment, or by an adopting Reaper if they wiped that. Only a process with another
// user escapes. On other systems all that left the group escape. Finally the directory is
// removed, even if the test made parts inaccessible.
//
// An Executor is safe for concurrent use while its fields do not change.
type Executor struct {
	Work    string   // existing directory
	Reaper  *Reaper  // may be nil
	Program *Program // must not change; may be nil
	Sandbox *Sandbox // may be nil

	traced func(pid int) // may be nil
}

// A Sandbox keeps tests from writing elsewhere, signalling other processes and using the network.
type Sandbox = sandbox.Sandbox

// Trace runs a test that may also write to the trace directories of the sandbox, in fact to
// discarded copies. It returns the written paths.
func (e *Executor) Trace(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, []string, error) {
	traced, pid := *e, 0
	traced.traced = func(started int) { pid = started }
	run, err := traced.Run(ctx, spec, candidate)
	if err != nil {
		return run, nil, err
	}
	paths, err := e.Sandbox.Written(pid)
	return run, paths, err
}

// launch returns the launch for a test that may write below a directory; nil means this process.
func (e *Executor) launch(dir string) process.Launch {
	if e.Sandbox == nil {
		return nil
	}
	return func(argv []string, attr *syscall.ProcAttr) (int, error) {
		if e.traced == nil {
			return e.Sandbox.Start(dir, argv, attr)
		}
		pid, err := e.Sandbox.Trace(sandbox.TraceDirs(), dir, argv, attr)
		e.traced(pid)
		return pid, err
	}
}

// Run implements [oracle.Executor].
//
// If ctx is done, the test is killed and the error is ctx.Err(). Every other error is an
// [*oracle.EnvironmentError]. When Run returns, the processes of the test are dead and its
// directory is removed, or that is an error.
//
// Memory for the output is bounded: its last 256 KiB are kept. Run does not wait for processes
// that hold it open after the end of the test.
func (e *Executor) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	if err := ctx.Err(); err != nil {
		return oracle.Run{}, err
	}
	if err := spec.Check(); err != nil {
		return oracle.Run{}, err
	}
	around, err := process.MakeDirectory(e.Work)
	if err != nil {
		return oracle.Run{}, err
	}
	// This also removes files next to the directory.
	run, err := e.runIn(ctx, filepath.Join(around, "test"), &spec, candidate)
	if removed := process.RemoveDirectory(around); err == nil {
		err = removed
	}
	if err == nil {
		err = e.Program.check()
	}
	if done := ctx.Err(); done != nil {
		err = done
	}
	if err != nil {
		return oracle.Run{}, err
	}
	return run, nil
}

// runIn runs the test in a new dir and waits until its processes are dead.
func (e *Executor) runIn(ctx context.Context, dir string, spec *oracle.Spec, candidate []byte) (oracle.Run, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return oracle.Run{}, oracle.Errorf("cannot make a directory for the test: %w%s", err, process.Advice(err))
	}
	tmp, err := process.Lay(&spec.Layout, dir, candidate)
	if err != nil {
		return oracle.Run{}, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return oracle.Run{}, oracle.Errorf("cannot give the test its standard input: %w", err)
	}
	defer null.Close()
	input, printed := null, null
	if spec.Stdin {
		if input, err = os.Open(filepath.Join(dir, spec.Name)); err != nil {
			return oracle.Run{}, oracle.Errorf("cannot give the test its standard input: %w", err)
		}
		defer input.Close()
	}
	var output *process.Output
	var last process.Tail
	var lines *process.Counter
	var to []io.Writer
	var raw io.Writer
	last.Limit = process.OutputLimit
	switch {
	case spec.KeepOutput && spec.RawOutput:
		raw = &last
	case spec.KeepOutput:
		to = append(to, &last)
	}
	if patterns := spec.Interesting.Patterns(); len(patterns) > 0 {
		lines = process.NewCounter(patterns)
		to = append(to, lines)
	}
	if len(to) > 0 || raw != nil || spec.Interesting.Output != nil {
		if output, err = process.ReadOutput(spec.Interesting.Output, raw, to...); err != nil {
			return oracle.Run{}, err
		}
		printed = output.Theirs
	}
	run, err := e.execute(ctx, spec, tmp, &syscall.ProcAttr{
		Dir:   dir,
		Env:   process.Environment(spec.Env, dir, tmp, cmp.Or(spec.Home, filepath.Dir(spec.Argv[0]))),
		Files: []uintptr{input.Fd(), printed.Fd(), printed.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if output != nil {
		run.Matched, run.Stripped = output.Close(), output.Stripped()
	}
	if err != nil {
		return oracle.Run{}, err
	}
	if spec.KeepOutput {
		run.Output, run.Cut = last.Bytes(), last.Cut()
	}
	if lines != nil {
		run.Counts = lines.Counts()
	}
	run.Outcome = spec.Interesting.Judge(&run)
	return run, nil
}

// execute waits until all processes with mark in their environment are dead.
func (e *Executor) execute(ctx context.Context, spec *oracle.Spec, mark string, attr *syscall.ProcAttr,
) (oracle.Run, error) {
	watch := e.Reaper.Stopwatch()
	g, err := e.Reaper.Start(ctx, spec.Arguments(), attr, e.launch(filepath.Dir(attr.Dir)))
	if err != nil {
		return oracle.Run{}, err
	}
	run := oracle.Run{Timeout: spec.Timeout}
	var late atomic.Bool
	if run.Timeout > 0 {
		defer e.Reaper.After(run.Timeout, func() {
			late.Store(true)
			g.Kill()
		})()
	}
	guard := g.Watch(spec.Limits, filepath.Dir(attr.Dir), mark, spec.Processor, spec.Idle)
	defer context.AfterFunc(ctx, g.Kill)()
	status, err := g.Wait(mark)
	run.Exceeded = guard.Stop(status.WaitStatus)
	if err != nil {
		return oracle.Run{}, oracle.Errorf("cannot wait for the test %s: %w", spec.Argv[0], err)
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
	case run.ExitCode > oracle.ExitSignal && run.ExitCode <= oracle.ExitSignal+oracle.LastSignal:
		run.Died = syscall.Signal(run.ExitCode - oracle.ExitSignal)
	}
	return run, nil
}
