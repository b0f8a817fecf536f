// Package local runs tests as processes of this machine.
package local

import (
	"cmp"
	"context"
	"syscall"

	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// An Executor runs each test in its own directory and process group, with its own limits. It is
// safe for concurrent use while its fields do not change.
//
// When the main process of a test ends, the group is killed, and on Linux also processes that left
// it, as by setsid: their environment shows them, or an adopting Reaper. Only those with another
// user escape. Then the directory is removed, even if the test made parts inaccessible.
type Executor struct {
	Work    string           // existing directory
	Reaper  *process.Reaper  // may be nil
	Program *Program         // must not change; may be nil
	Sandbox *sandbox.Sandbox // keeps tests from writing elsewhere; may be nil
	Reads   *Reads           // may be nil
	Keeper  *Keeper          // may be nil
	// Around, which may be nil, is called before a test with its directories, and returns variables for its environment
	// and a function to call after it.
	Around func(dir, tmp string) (env []string, ended func())

	traced func(pid int) // may be nil
	start  string        // where the test starts instead of the candidate's directory; may be ""
}

// launch returns the launch for a test that may write below dir; nil means this process.
func (e *Executor) launch(box *sandbox.Sandbox, dir string) process.Launch {
	if box == nil {
		return nil
	}
	return func(argv []string, attr *syscall.ProcAttr) (int, error) {
		if e.traced == nil {
			return box.Start(dir, argv, attr)
		}
		pid, err := box.Trace(sandbox.TraceDirs(), dir, argv, attr)
		e.traced(pid)
		return pid, err
	}
}

// Run implements [oracle.Executor].
//
// If ctx is done, the test is killed and the error is ctx.Err(). Every other error is an
// [*oracle.EnvironmentError], also if the directory cannot be removed. Run does not wait for
// processes that hold the output open.
func (e *Executor) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (run oracle.Run, err error) {
	if e.Keeper.KeepsBuilds() && !spec.Afresh {
		run, err = e.Keeper.await(ctx, func() (oracle.Run, error) { return e.run(ctx, spec, candidate) })
	} else {
		run, err = e.run(ctx, spec, candidate)
	}
	if path := gone(spec.Outside); err != nil && ctx.Err() == nil && path != "" {
		err = oracle.Errorf("%s is gone, and tests need it; restore it, and give the same command again", path)
	}
	return run, err
}

func (e *Executor) run(ctx context.Context, spec oracle.Spec, candidate []byte) (run oracle.Run, err error) {
	if err := cmp.Or(ctx.Err(), spec.Check()); err != nil {
		return run, err
	}
	t := test{Executor: e, spec: &spec}
	if t.kept, err = e.Keeper.take(e, &spec, candidate); err == nil && t.kept == nil {
		t.around, err = process.MakeDirectory(e.Work)
	}
	if err != nil {
		return run, err
	}
	outer := ctx
	ctx, release := t.kept.patience(ctx)
	defer release()
	if err = t.prepare(candidate); err == nil {
		ended := e.Reads.watch(t.dir, spec.Argv, candidate)
		if e.Around != nil {
			t.env, ended = e.Around(t.dir, t.tmp)
		}
		watch := e.Reaper.Stopwatch()
		var g *process.Group
		launch := e.launch(t.kept.in(e.Sandbox), t.around)
		if g, err = e.Reaper.Start(ctx, spec.ArgumentsIn(t.dir), t.attr(), launch); err == nil {
			run, err = t.wait(ctx, g, watch)
		}
		if err == nil && e.traced == nil { // a trace has copies of the files
			ended()
		}
	}
	t.end(&run)
	if err == nil {
		t.readFiles(&run)
	}
	if removed := t.remove(&run, err != nil || ctx.Err() != nil); err == nil {
		err = removed
	}
	if err == nil {
		err = e.Program.check()
	}
	if err = cmp.Or(outer.Err(), err); err != nil {
		return oracle.Run{}, err
	}
	run.Outcome = spec.Interesting.Judge(&run)
	return run, nil
}
