// Package process runs the programs of tests on this machine for internal/local and
// internal/server. Each test has a process group, a directory and limits of its own, and leaves
// no processes or files.
package process

import (
	"context"
	"sync"
	"syscall"
	"time"
)

// startLimit is the time for which a start that failed temporarily is repeated.
const startLimit = 2 * time.Second

// A Group is a running test: its main process and the process group that it leads.
//
// Invariant: no signal is sent after the main process was reaped, because its id may belong to
// another process then.
type Group struct {
	pid       int // of the main process and of the group
	processes *Reaper
	mu        sync.Mutex
	reaped    bool
}

// An End is the end of the main process of a test.
type End struct {
	syscall.WaitStatus
	Processor time.Duration // time that it and its reaped children have used
}

func newEnd(s syscall.WaitStatus, used syscall.Rusage) End {
	return End{s, time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

// A Launch starts a program in a new process group and returns its process id. Sandboxes provide
// one.
type Launch func(argv []string, attr *syscall.ProcAttr) (pid int, err error)

// Start starts the program argv[0], by the shell if it is a script without a #! line. attr must
// ask for a process group. If launch is nil, this process starts it. The error is ctx.Err() or an
// [*oracle.EnvironmentError].
func (p *Reaper) Start(ctx context.Context, argv []string, attr *syscall.ProcAttr, launch Launch) (*Group, error) {
	byShell := false
	// A failed launch leaves a dead child, so avoid the most common failure.
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
			// Another process writes the program, or forked while it was written; or there are
			// too many processes.
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

// Kill kills the group. It has no effect after Wait returned.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		g.signal()
	}
}

// signal kills the group, and the main process in case it moved to another group. Errors mean
// that no process is left.
func (g *Group) signal() {
	syscall.Kill(-g.pid, syscall.SIGKILL)
	syscall.Kill(g.pid, syscall.SIGKILL)
}

// forkExec starts a program and registers it as a test.
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
