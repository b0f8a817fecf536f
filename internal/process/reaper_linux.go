package process

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Adopt makes orphans of this process's descendants its children. Until Close, all processes that
// it starts wear a badge. Other children, as of a shell that became this process by exec, are no
// orphans of tests. Help must start children that are not tests.
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

// runForks runs all forks in one thread, with SIGTSTP blocked there and in the children. Go waits
// for the exec, so a Ctrl-Z that stops a child before it has a group would stall this process.
func (p *Reaper) runForks() {
	runtime.LockOSThread()
	var blocked unix.Sigset_t
	blocked.Val[0] = 1 << (syscall.SIGTSTP - 1)
	unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, nil)
	for fork := range p.forker {
		fork()
	}
}

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

// fork starts a program that dies with the forking thread, its parent to the kernel.
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

// Stop stops all tests in a work directory, and all starts, until Continue.
func (p *Reaper) Stop(work string) {
	p.forking.Lock()
	p.pause.begin()
	p.signalAll(work, syscall.SIGSTOP)
}

// Kill kills the tests in a work directory, for exits that do not wait for them.
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

// signalAll signals all tests in a directory, and processes that they start meanwhile. One in an
// exec has no environment, and gets time to finish.
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
		if p.member(pid, work) != ofNone { // perhaps stopped in an exec
			syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	p.pause.end()
	p.forking.Unlock()
}

type membership int

const (
	ofNone membership = iota
	ofTest
	inExec // unknown
)

// member looks for a test's group, or work in the environment.
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

// badgeBase is the lowest badge: a limit of processor time for real-time processes, in microseconds, that processes
// never reach. Descendants inherit it and have no reason to change it.
const badgeBase = 1 << 61

func (p *Reaper) hasBadge(pid int) bool {
	var limit unix.Rlimit
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) == nil && limit.Cur == p.badge
}

// now is in ticks since boot, as in /proc/*/stat.
func now() uint64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_BOOTTIME, &t)
	return uint64(t.Sec)*ticks + uint64(t.Nsec)/(1e9/ticks)
}

// sweep reaps dead orphans, and kills orphans of ended tests.
func (p *Reaper) sweep() {
	if !p.adopts {
		return
	}
	p.mu.Lock()
	none := len(p.orphans) == 0
	p.mu.Unlock()
	// Without forks under way, a child that is not a test is an orphan.
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

// Close kills all orphans, and waits until they are dead, but not for long.
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
		for pid := range allProcesses() {
			if s, ok := readStat(pid); !ok || s.parent != os.Getpid() || p.helpers[pid] || !p.hasBadge(pid) {
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

func bury(pid int) bool {
	got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	return got == pid || errors.Is(err, syscall.ECHILD)
}

func killOrphan(pid int) {
	syscall.Kill(-pid, syscall.SIGKILL)
	syscall.Kill(pid, syscall.SIGKILL)
}

// KillAllMarked kills this user's processes with mark in their environment.
func KillAllMarked(mark string) {
	(&Reaper{}).killMarked(allProcesses(), 0, mark)
}
