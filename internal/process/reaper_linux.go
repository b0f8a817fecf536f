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

// Adopt makes orphans of this process's descendants its children, and returns their Reaper. Until
// Close, all processes that this process starts wear a badge. Only children with the badge count
// as orphans of tests: older children, for example of a shell that became this process by exec,
// belong to others, with their descendants. Help must start children that are not tests.
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

// runForks runs everything that forks in one thread. SIGTSTP is blocked there and in the started
// processes. Otherwise a Ctrl-Z that stops a child before it has its own group would stop this
// process, too: in Go it can do little until the exec of that child.
func (p *Reaper) runForks() {
	runtime.LockOSThread()
	var blocked unix.Sigset_t
	blocked.Val[0] = 1 << (syscall.SIGTSTP - 1)
	unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, nil)
	for fork := range p.forker {
		fork()
	}
}

// inForker runs a fork in the thread for forks, if there is one.
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

// fork starts a program that is killed if this process dies for any reason. To the kernel the
// parent is the forking thread, which must live as long.
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

// Stop stops the processes of all tests in a work directory, and starts no tests until Continue.
func (p *Reaper) Stop(work string) {
	p.forking.Lock()
	p.pause.begin()
	p.signalAll(work, syscall.SIGSTOP)
}

// Kill kills the processes of all tests that still run in a work directory. It is for exits that
// do not wait for tests.
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

// signalAll sends a signal to the processes of all tests in a directory, and to those that they
// start before it arrives. A process in the middle of an exec has no environment; it gets some
// time to finish.
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

// Continue resumes tests that Stop has stopped.
func (p *Reaper) Continue(work string) {
	for pid := range allProcesses() {
		if p.member(pid, work) != ofNone { // it may have been stopped during an exec
			syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	p.pause.end()
	p.forking.Unlock()
}

// A membership tells whether a process belongs to a test.
type membership int

const (
	ofNone membership = iota
	ofTest
	inExec // not known yet
)

// member tells whether a process belongs to a test in a directory: it is in the group of one, or
// has the directory in its environment.
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

// badgeBase is the lowest badge: a limit of processor time, in microseconds, for processes of a
// real-time class. No process reaches it in a thousand centuries, and a process has no reason to change
// it. All descendants inherit it, and it stays when every other trace of their origin is gone.
const badgeBase = 1 << 61

// hasBadge reports whether this process or a descendant started a process since Adopt.
func (p *Reaper) hasBadge(pid int) bool {
	var limit unix.Rlimit
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) == nil && limit.Cur == p.badge
}

// children yields the children of this process.
func children() iter.Seq[int] {
	return func(yield func(int) bool) {
		for pid := range allProcesses() {
			if s, ok := readStat(pid); ok && s.parent == os.Getpid() && !yield(pid) {
				return
			}
		}
	}
}

// now returns the time since boot in ticks, as in /proc/*/stat.
func now() uint64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_BOOTTIME, &t)
	return uint64(t.Sec)*ticks + uint64(t.Nsec)/(1e9/ticks)
}

// sweep reaps dead orphans, and kills those that no running test can own.
func (p *Reaper) sweep() {
	if p == nil || !p.adopts {
		return
	}
	p.mu.Lock()
	none := len(p.orphans) == 0
	p.mu.Unlock()
	// After all forks have ended, a child that is not a test is an orphan. While forks are under
	// way, skip this sweep.
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

// Close kills all orphans, also those of running tests, and waits until they are dead, but not
// for long. This includes the orphans that they leave.
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
		defer close(p.forker) // its children die
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

// killOrphan kills an unreaped child and the group that it leads.
func killOrphan(pid int) {
	syscall.Kill(-pid, syscall.SIGKILL)
	syscall.Kill(pid, syscall.SIGKILL)
}

// KillAllMarked kills all processes of this user that have mark in their environment, and waits
// until they are dead, but not for long.
func KillAllMarked(mark string) {
	var none *Reaper
	none.killMarked(allProcesses(), 0, mark)
}
