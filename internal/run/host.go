package run

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/local"
	"whittle/internal/printable"
	"whittle/internal/process"
	"whittle/internal/project"
	"whittle/internal/sandbox"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Host holds what runs of one process share: work directory, reaper of processes, Ctrl-Z
// handler, parser processes and local tools. Runs at the same time need the same Host.
type Host struct {
	jobs    int
	parsers *grammars.Pool
	machine tool.Machine
	beside  atomic.Pointer[[2]func()] // of OnStop

	mu      sync.Mutex
	slots   *chain.Slots
	work    *local.Work
	reaper  *process.Reaper
	starter *sandbox.Starter
	closers closers
}

// NewHost returns the host of runs with so many tests at once. The caller closes it last.
func NewHost(jobs int) *Host {
	h := &Host{jobs: jobs, parsers: grammars.NewPool(jobs)}
	h.closers.Later(h.parsers.Close)
	h.OnStop(func() {}, func() {})
	return h
}

// OnStop sets functions to call before whittle stops, as by Ctrl-Z, and when it continues.
func (h *Host) OnStop(stop, resume func()) { h.beside.Store(&[2]func(){stop, resume}) }

// start makes the work directory below dir, or the default, for tests that write at most limit
// bytes each. Only the first call counts.
func (h *Host) start(dir string, limit uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.work != nil {
		return nil
	}
	work, err := local.OpenWork(dir, uint64(h.jobs)*limit)
	if err != nil {
		return err
	}
	h.work, h.reaper = work, process.Adopt()
	h.closers.Later(func() { work.Close() })
	h.closers.Later(func() {
		h.reaper.Kill(work.Dir)
		h.reaper.Close()
	})
	h.closers.Later(local.LimitFiles(limit))
	h.closers.Later(local.OnStop(func() {
		h.beside.Load()[0]()
		h.reaper.Stop(work.Dir)
	}, func() {
		h.reaper.Continue(work.Dir)
		h.beside.Load()[1]()
	}))
	h.parsers.Spare(h.reaper)
	return nil
}

// sandboxes returns a starter of sandboxes with at most limit bytes below /tmp and /dev/shm. It
// needs start.
func (h *Host) sandboxes(limit uint64) *sandbox.Starter {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.starter == nil {
		h.starter = sandbox.NewStarter(h.reaper.Help, h.work.Dir, limit)
		h.closers.Later(h.starter.Close)
	}
	return h.starter
}

// slotsHere returns the slots for tests here in addition to the cluster.
func (h *Host) slotsHere(jobs, after int) *chain.Slots {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.slots == nil {
		h.slots = chain.NewSlots(jobs, after)
	}
	return h.slots
}

// Close releases the resources, the last first.
func (h *Host) Close() { h.closers.Close() }

// Sandbox configures the sandbox of tests. The zero value is off.
type Sandbox struct {
	On    bool     // if the kernel supports it; main must call [sandbox.Serve]
	Write []string // absolute, writable for tests
	Net   bool     // allow network and local services
	// Known, if not nil, is the policy of an earlier run of the same work, which needs no trial.
	Known *sandbox.Policy
}

// confine puts the programs into a sandbox, if the kernel supports it. The test's outcome on the
// input must stay; otherwise the error is a [*local.UnfitError].
func (r *Run) confine(ctx context.Context) (err error) {
	r.seen = r.Input.Bytes
	if !r.Sandbox.On {
		return nil
	}
	starter := r.Host.sandboxes(r.Limits.Disk)
	box := &sandbox.Sandbox{Starter: starter, Policy: sandbox.Policy{Write: r.Sandbox.Write, Net: r.Sandbox.Net}}
	if r.SandboxLevel, err = starter.Level(box.Policy); err != nil {
		return &oracle.EnvironmentError{Err: err}
	}
	if r.SandboxLevel.None() {
		return nil
	}
	r.program.Sandbox = box
	if r.Sandbox.Known != nil {
		box.Policy = *r.Sandbox.Known
		return nil
	}
	if r.Remote != nil || r.Test.Server != "" || !r.SandboxLevel.Namespaces {
		return nil // workers, servers and Landlock alone allow no comparison
	}
	t := local.Trial{
		Program: r.program, Spec: chain.Trial(r.Spec, r.Test.Inline && r.Test.Project == nil), Input: r.Input.Bytes,
		Command: r.Test.Inline, AtOnce: r.near() > 1, Warn: func(text string) { r.Warn(text) }, Same: failure.Same,
	}
	p := r.Test.Project
	if p != nil && r.Test.Inline && !strings.HasPrefix(r.program.Work, p.Root+"/") {
		t.Project, t.LeftOut, t.Expect = p.Root, slices.Concat(p.History, p.LeftOut), r.Test.Expect
	} else if p == nil && r.Test.Inline {
		t.Program.Keeper = local.NewKeeper(ctx.Done(), r.near()) // for overlays of these paths
		r.Later(t.Program.Keeper.Close)
		if paths := project.Beside(r.Input.Paths, r.Test.Argv); paths != nil {
			t.Spec.Layout.Outside = &oracle.Outside{Root: r.Spec.Home, Paths: paths}
		}
		t.Lacks = func(run oracle.Run) string { return failure.MissingPath(string(run.Output), r.Input.Paths) }
	}
	inside, needed, err := t.Settle(ctx, box)
	if err != nil {
		return err
	}
	if p == nil || needed == nil {
		r.Seen, r.free = &inside, t.Free
	}
	if needed == nil {
		return nil
	}
	r.Spec.Layout.Outside, r.program.Keeper = &oracle.Outside{Root: r.Spec.Home, Paths: needed}, t.Program.Keeper
	if p != nil {
		p.Need(needed)
		r.Spec.Layout.Outside = p.Dependencies()
		r.program.Keeper.Clear()
	}
	r.sayNeeded(needed)
	return nil
}

func (r *Run) sayNeeded(paths []string) {
	r.Warn("there for each test, but not reduced, as the test needs it: " + printable.Line(project.Few(paths)))
}

// recogniseBeside recognises the failure next to files of the user, if unknown says that it is not recognised without.
// Each test gets these files from then on. Without such files it returns unknown.
func (r *Run) recogniseBeside(ctx context.Context, unknown error) error {
	without := (*diagnose.UnknownError)(nil)
	if !errors.As(unknown, &without) || without.Final {
		return unknown
	}
	dir, needed, err := r.Diagnosis().Needed(ctx, without.Run)
	with := oracle.Outside{Root: dir, Paths: needed}
	if o := r.Spec.Layout.Outside; o != nil {
		with = oracle.Outside{Root: o.Root, Paths: slices.Concat(o.Paths, needed)}
	}
	if needed == nil || err != nil || with.Root != dir {
		return cmp.Or(err, unknown)
	}
	if r.program.Keeper == nil {
		r.program.Keeper = local.NewKeeper(ctx.Done(), r.near())
		r.Later(r.program.Keeper.Close)
	}
	r.Spec.Layout.Outside, r.Seen, r.free = &with, nil, nil
	r.program.Keeper.Clear()
	r.sayNeeded(needed)
	return r.Recognise(ctx)
}

// Policy returns the rights of tests in the sandbox, after its trial, or nil.
func (r *Run) Policy() *sandbox.Policy {
	if r.program.Sandbox == nil {
		return nil
	}
	p := r.program.Sandbox.Policy
	return &p
}

// Boxed reports whether local tests run in a sandbox.
func (r *Run) Boxed() bool { return r.program.Sandbox != nil }

// Programs returns an executor for other programs than the test, which may also write to some paths.
func (r *Run) Programs(write ...string) *local.Executor {
	e := &local.Executor{Work: r.program.Work, Reaper: r.program.Reaper, Sandbox: r.program.Sandbox}
	if r.program.Keeper != nil {
		e.Keeper = local.NewKeeper(r.program.Keeper.Ended, 1)
	}
	if e.Sandbox != nil && len(write) > 0 {
		box := *e.Sandbox
		box.Write = slices.Concat(box.Write, write)
		e.Sandbox = &box
	}
	return e
}

// launchIn returns a launch of servers that write below dir; nil without a sandbox.
func launchIn(box *sandbox.Sandbox, dir string) process.Launch {
	if box == nil {
		return nil
	}
	return func(argv []string, attr *syscall.ProcAttr) (int, error) { return box.Start(dir, argv, attr) }
}
