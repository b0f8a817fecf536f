package oracle

import (
	"errors"
	"iter"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Adopt makes orphans of this process's descendants its own children, and gives
// the Processes that looks after them. The process must start no child but
// through the tests that know of it, or by Help: a child that it does not know is
// killed, unless it is there already.
func Adopt() *Processes {
	p := &Processes{orphans: map[int]uint64{}, before: map[int]bool{}}
	for pid := range children() {
		p.before[pid] = true
	}
	p.adopts = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
	return p
}

// children gives the processes of which this one is the parent.
func children() iter.Seq[int] {
	return func(yield func(int) bool) {
		for pid := range allProcesses() {
			if s, ok := readStat(pid); ok && s.parent == os.Getpid() && !yield(pid) {
				return
			}
		}
	}
}

// now gives the time since boot in ticks, as /proc/*/stat has it.
func now() uint64 {
	const ticks = 100 // a second, on all of Linux's machines
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_BOOTTIME, &t)
	return uint64(t.Sec)*ticks + uint64(t.Nsec)/(1e9/ticks)
}

// sweep buries dead orphans, and kills those that no running test can own.
func (p *Processes) sweep() {
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
func (p *Processes) Close() {
	if p == nil || !p.adopts {
		return
	}
	p.forking.Lock()
	defer p.forking.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		none := true
		for pid := range children() {
			if p.before[pid] || p.helpers[pid] {
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

// bury reaps a child if it is dead, and tells whether it is gone.
func bury(pid int) bool {
	got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	return got == pid || errors.Is(err, syscall.ECHILD)
}

// killOrphan kills a child that is not reaped, and the group that it leads.
func killOrphan(pid int) {
	syscall.Kill(-pid, syscall.SIGKILL)
	syscall.Kill(pid, syscall.SIGKILL)
}

// killAllMarked kills all processes of this user that have mark in their
// environment, and waits until they are dead, though not for long.
func killAllMarked(mark string) {
	var none *Processes
	none.killMarked(allProcesses(), 0, mark)
}
