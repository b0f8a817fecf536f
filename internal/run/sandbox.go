package run

import (
	"context"
	"slices"
	"syscall"

	"whittle/internal/local"
	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// Sandbox configures the sandbox of tests. The zero value is off.
type Sandbox struct {
	On    bool     // if the kernel supports it; main must call [sandbox.Serve]
	Write []string // absolute, writable for tests
	Net   bool     // allow network and local services
}

// confine puts the programs into a sandbox, if the kernel supports it. The test's outcome on the
// input must stay; otherwise the error is a [*local.DeniedError].
func (r *Run) confine(ctx context.Context) (err error) {
	if !r.Sandbox.On {
		return nil
	}
	starter := r.host.sandboxes(r.Limits.Disk)
	box := &sandbox.Sandbox{Starter: starter, Policy: sandbox.Policy{Write: r.Sandbox.Write, Net: r.Sandbox.Net}}
	if r.SandboxLevel, err = starter.Level(box.Policy); err != nil {
		return &oracle.EnvironmentError{Err: err}
	}
	if r.SandboxLevel.None() {
		return nil
	}
	r.program.Sandbox = box
	if r.Remote != nil || r.Test.Server != "" || !r.SandboxLevel.Namespaces {
		return nil // workers, servers and Landlock alone allow no comparison
	}
	t := local.Trial{
		Program: r.program, Spec: r.Spec, Input: r.Input.Bytes, Command: r.Test.Inline,
		AtOnce: r.near() > 1, Warn: func(text string) { r.Warn(text) },
	}
	r.took, err = t.Settle(ctx, box)
	return err
}

// Boxed reports whether local tests run in a sandbox.
func (r *Run) Boxed() bool { return r.program.Sandbox != nil }

// Confined reports whether tests change only their own directories.
func (r *Run) Confined() bool {
	return r.program.Sandbox != nil && r.Remote == nil && !r.Sandbox.Net && len(r.Sandbox.Write) == 0
}

func (r *Run) programs(write ...string) *local.Executor {
	e := &local.Executor{Work: r.program.Work, Reaper: r.program.Reaper, Sandbox: r.program.Sandbox}
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
