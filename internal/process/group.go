// Package process runs the programs of tests. Each test has its own process group, directory and
// limits, and leaves no processes or files.
package process

import (
	"context"
	"sync"
	"syscall"
	"time"
)

// startLimit bounds the repetition of starts that failed temporarily.
const startLimit = 2 * time.Second

// A Group is a running test: its main process and the process group that it leads. No signal is
// sent after the main process was reaped, since its id may be reused.
type Group struct {
	pid       int // of the main process and the group
	processes *Reaper
	mu        sync.Mutex
	reaped    bool
}

// An End is the end of the main process of a test.
type End struct {
	syscall.WaitStatus
	Processor time.Duration // with reaped children
}

func newEnd(s syscall.WaitStatus, used syscall.Rusage) End {
	return End{s, time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

// A Launch starts a program in a new process group, as sandboxes do.
type Launch func(argv []string, attr *syscall.ProcAttr) (pid int, err error)

// Start starts argv[0], or the shell for a script without a #! line. attr must ask for a process
// group. The error is ctx.Err() or an [*oracle.EnvironmentError].
func (p *Reaper) Start(ctx context.Context, argv []string, attr *syscall.ProcAttr, launch Launch) (*Group, error) {
	if p == nil {
		p = &Reaper{}
	}
	byShell := false
	// A failed launch leaves a dead child; avoid the most common.
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
			// Another process writes the program, or there are too many processes.
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

func (g *Group) wait() (End, error) {
	var s syscall.WaitStatus
	var used syscall.Rusage
	for {
		if _, err := syscall.Wait4(g.pid, &s, 0, &used); err != syscall.EINTR {
			return newEnd(s, used), err
		}
	}
}

// Kill kills the group, until Wait has returned.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		g.signal()
	}
}

// signal also kills a main process that moved to another group.
func (g *Group) signal() {
	syscall.Kill(-g.pid, syscall.SIGKILL)
	syscall.Kill(g.pid, syscall.SIGKILL)
}

func (p *Reaper) forkExec(argv []string, attr *syscall.ProcAttr, launch Launch) (int, error) {
	if launch == nil {
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
