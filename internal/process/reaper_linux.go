package process

import (
	"bytes"
	"errors"
	"iter"
	"math/rand/v2"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Adopt makes orphans of this process's descendants its own children, and returns
// the Reaper that looks after them. Until Close, all that this process starts
// wears a badge, and of its children only those with the badge are taken for
// orphans of tests: a child that was there before, as one of a shell that became
// this process by exec, and what that starts are somebody else's. A child that is
// no test must be started by Help.
func Adopt() *Reaper {
	p := &Reaper{orphans: map[int]uint64{}}
	if unix.Prlimit(0, unix.RLIMIT_RTTIME, nil, &p.badgeless) != nil {
		return p
	}
	p.badge = badgeBase + rand.Uint64N(badgeBase)
	worn := unix.Rlimit{Cur: p.badge, Max: p.badgeless.Max}
	p.adopts = unix.Prlimit(0, unix.RLIMIT_RTTIME, &worn, nil) == nil &&
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
	p.forker = make(chan func())
	go p.runForks()
	return p
}

// runForks runs what forks, in one thread. There SIGTSTP is blocked, and in all that is
// started: a Ctrl-Z that stops a child on its way to a group of its own would stop
// this process, too, which in Go can do little until that child's exec.
func (p *Reaper) runForks() {
	runtime.LockOSThread()
	var blocked unix.Sigset_t
	blocked.Val[0] = 1 << (syscall.SIGTSTP - 1)
	unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, nil)
	for fork := range p.forker {
		fork()
	}
}

// inForker runs what forks in the thread for that, if there is one.
func (p *Reaper) inForker(fork func()) {
	if p.forker == nil {
		fork()
		return
	}
	done := make(chan struct{})
	p.forker <- func() {
		defer close(done)
		fork()
	}
	<-done
}

// fork starts a program that is killed if this process dies, whatever of. To the
// system the parent is the thread that forks, so that must live as long.
func (p *Reaper) fork(argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	mortal := *attr
	if p.forker != nil {
		sys := *attr.Sys
		sys.Pdeathsig = syscall.SIGKILL
		mortal.Sys = &sys
	}
	p.inForker(func() { pid, err = syscall.ForkExec(argv[0], argv, &mortal) })
	return pid, err
}

// Stop stops the processes of all tests that run in a directory for tests, and
// starts no more, until Continue.
func (p *Reaper) Stop(work string) {
	p.forking.Lock()
	p.pause.begin()
	p.signalAll(work, syscall.SIGSTOP)
}

// Kill kills the processes of all tests that still run in a directory for tests, at an
// end that does not wait for them.
func (p *Reaper) Kill(work string) {
	p.forking.Lock()
	defer p.forking.Unlock()
	p.mu.Lock()
	none := len(p.running) == 0
	p.mu.Unlock()
	if !none {
		p.signalAll(work, syscall.SIGKILL)
	}
}

// signalAll sends a signal to the processes of all tests in a directory, and to those
// that they start before they get it. One that is in the middle of an exec has no
// environment to know it by; it gets some time to have one.
func (p *Reaper) signalAll(work string, signal syscall.Signal) {
	known := map[int]bool{}
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		again := false
		for pid := range allProcesses() {
			if known[pid] {
				continue
			}
			switch p.member(pid, work) {
			case ofTest:
				known[pid] = true
				again = syscall.Kill(pid, signal) == nil || again
			case inExec:
				again = true
			}
		}
		if !again {
			return
		}
	}
}

// Continue lets tests go on that Stop has stopped.
func (p *Reaper) Continue(work string) {
	for pid := range allProcesses() {
		if p.member(pid, work) != ofNone { // it may have been stopped on its way into an exec
			syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	p.pause.end()
	p.forking.Unlock()
}

// A membership is whether a process is one of a test.
type membership int

const (
	ofNone membership = iota
	ofTest
	inExec // it will be seen
)

// member reports whether a process is one of a test in a directory: it is in the group of
// one, or has the directory in its environment.
func (p *Reaper) member(pid int, work string) membership {
	group, err := unix.Getpgid(pid)
	switch {
	case err != nil || pid == os.Getpid():
		return ofNone
	case p.isTest(group):
		return ofTest
	}
	environ := readEnvironment(pid)
	if bytes.Contains(environ, []byte("TMPDIR="+work+"/")) {
		return ofTest
	}
	if len(environ) == 0 && p.hasBadge(pid) {
		if s, ok := readStat(pid); ok && s.inExec {
			return inExec
		}
	}
	return ofNone
}

// badgeBase is the least badge: a limit of processor time, in microseconds, for
// processes of a real-time class. No process gets there in a thousand centuries,
// none has a reason to change it, all inherit it, and it stays when all else that
// could tell where a process is from is gone.
const badgeBase = 1 << 61

// hasBadge reports whether a process was started since Adopt, by this process or
// a descendant of it.
func (p *Reaper) hasBadge(pid int) bool {
	var limit unix.Rlimit
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) == nil && limit.Cur == p.badge
}

// children returns the processes of which this one is the parent.
func children() iter.Seq[int] {
	return func(yield func(int) bool) {
		for pid := range allProcesses() {
			if s, ok := readStat(pid); ok && s.parent == os.Getpid() && !yield(pid) {
				return
			}
		}
	}
}

// now returns the time since boot in ticks, as /proc/*/stat has it.
func now() uint64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_BOOTTIME, &t)
	return uint64(t.Sec)*ticks + uint64(t.Nsec)/(1e9/ticks)
}

// sweep buries dead orphans, and kills those that no running test can own.
func (p *Reaper) sweep() {
	if p == nil || !p.adopts {
		return
	}
	p.mu.Lock()
	none := len(p.orphans) == 0
	p.mu.Unlock()
	// What is no test once all forks have ended is none. If there are forks
	// under way, another time will do.
	if none || !p.forking.TryLock() {
		return
	}
	defer p.forking.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	oldest := ^uint64(0)
	for _, tick := range p.running {
		oldest = min(oldest, tick)
	}
	for pid, tick := range p.orphans {
		if _, ok := p.running[pid]; ok || bury(pid) {
			delete(p.orphans, pid)
		} else if tick < oldest {
			killOrphan(pid)
		}
	}
}

// Close kills all orphans, also those of tests that still run, and waits until
// they are dead, though not for long. What they leave behind is an orphan, too.
func (p *Reaper) Close() {
	if p == nil {
		return
	}
	p.forking.Lock()
	defer p.forking.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	if p.forker != nil {
		defer close(p.forker) // what it has started dies
	}
	if !p.adopts {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer unix.Prlimit(0, unix.RLIMIT_RTTIME, &p.badgeless, nil)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		none := true
		for pid := range children() {
			if p.helpers[pid] || !p.hasBadge(pid) {
				continue
			}
			if _, ok := p.running[pid]; !ok && !bury(pid) {
				killOrphan(pid)
				none = false
			}
		}
		if none {
			return
		}
	}
}

// bury reaps a child if it is dead, and reports whether it is gone.
func bury(pid int) bool {
	got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	return got == pid || errors.Is(err, syscall.ECHILD)
}

// killOrphan kills a child that is not reaped, and the group that it leads.
func killOrphan(pid int) {
	syscall.Kill(-pid, syscall.SIGKILL)
	syscall.Kill(pid, syscall.SIGKILL)
}

// KillAllMarked kills all processes of this user that have mark in their
// environment, and waits until they are dead, though not for long.
func KillAllMarked(mark string) {
	var none *Reaper
	none.killMarked(allProcesses(), 0, mark)
}
