// Package process runs the programs of tests on this machine, for the executors of
// internal/local and internal/server: each in a process group and a directory of its own,
// within limits, and so that nothing is left of it.
package process

import (
	"context"
	"sync"
	"syscall"
	"time"
)

// startLimit is how long a start is tried again that failed for a reason that
// may pass by itself.
const startLimit = 2 * time.Second

// A Group is a running test: its main process and the process group that it
// leads.
//
// Invariant: no signal is sent once the main process is reaped, because from
// then on its id may be another process's.
type Group struct {
	pid       int // of the main process and of the group
	processes *Reaper
	mu        sync.Mutex
	reaped    bool
}

// An End is how the main process of a test ended.
type End struct {
	syscall.WaitStatus
	Processor time.Duration // that it and the children that it has waited for have used
}

func newEnd(s syscall.WaitStatus, used syscall.Rusage) End {
	return End{s, time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

// A Launch starts a program in a process group of its own, and returns its process id. A
// sandbox has one.
type Launch func(argv []string, attr *syscall.ProcAttr) (pid int, err error)

// Start starts the program argv[0] with its arguments, by the shell if it
// is a script without a #! line; attr must ask for a process group. If launch is nil, this
// process starts it. The error is ctx.Err() or an *EnvironmentError.
func (p *Reaper) Start(ctx context.Context, argv []string, attr *syscall.ProcAttr, launch Launch) (*Group, error) {
	byShell := false
	// A launch that fails leaves a dead child behind, so the usual reason is avoided.
	if launch != nil && isShellScript(argv[0]) {
		byShell = true
		argv = append([]string{"/bin/sh"}, argv...)
	}
	for pause := time.Millisecond; ; {
		pid, err := p.forkExec(argv, attr, launch)
		switch {
		case err == nil:
			return &Group{pid: pid, processes: p}, nil
		case err == syscall.ENOEXEC && !byShell && isShellScript(argv[0]):
			byShell = true
			argv = append([]string{"/bin/sh"}, argv...)
		case (err == syscall.ETXTBSY || err == syscall.EAGAIN) && pause < startLimit:
			// Somebody writes the program, or did and forked meanwhile; or
			// there are too many processes.
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			pause *= 2
		default:
			return nil, startError(err, argv, byShell, attr.Dir)
		}
	}
}

// Kill kills the group. It does nothing after Wait returned.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		g.signal()
	}
}

// signal sends SIGKILL to the group, and to the main process in case it moved
// to another one. Errors mean that there is nobody left.
func (g *Group) signal() {
	syscall.Kill(-g.pid, syscall.SIGKILL)
	syscall.Kill(g.pid, syscall.SIGKILL)
}

// forkExec starts a program, as a test that p knows from the beginning.
func (p *Reaper) forkExec(argv []string, attr *syscall.ProcAttr, launch Launch) (int, error) {
	switch {
	case p == nil && launch == nil:
		return syscall.ForkExec(argv[0], argv, attr)
	case p == nil:
		return launch(argv, attr)
	case launch == nil:
		launch = p.fork
	}
	p.forking.RLock()
	defer p.forking.RUnlock()
	if p.closed {
		return 0, syscall.ECANCELED
	}
	tick := now()
	pid, err := launch(argv, attr)
	if err == nil {
		p.started(pid, tick)
	}
	return pid, err
}
