package process

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Reaper knows the tests that run, so that what they leave behind can be told
// from them and killed, even if it left its process group and wiped its
// environment. The zero value and nil know nothing and kill nothing beyond
// what each test does by itself; Adopt returns one that does.
//
// On Linux the orphans of a process that adopts become its children. One that
// descends from a test is killed once no test runs that could own it.
type Reaper struct {
	forking sync.RWMutex // held for reading from before a fork until the child is in running
	closed  bool         // guarded by forking: nothing is started any more

	mu      sync.Mutex
	running map[int]uint64 // when each test was started, by the id of its main process; in ticks since boot
	orphans map[int]uint64 // when they were started, by their ids
	adopts  bool
	helpers map[int]bool // children that Help has started

	pause  pause
	forker chan func() // runs what forks a test, in one thread as long as tests run; nil is any thread

	badge     uint64      // of what was started since Adopt
	badgeless unix.Rlimit // what Close takes it back to
}

// Adopts reports whether orphans become children of this process.
func (p *Reaper) Adopts() bool { return p.adopts }

// Help has start make a child of this process that is no test, and returns its
// id. The child is left alone until Release.
func (p *Reaper) Help(start func() (pid int, err error)) error {
	if p == nil {
		_, err := start()
		return err
	}
	p.forking.RLock()
	defer p.forking.RUnlock()
	if p.closed {
		_, err := start()
		return err
	}
	var pid int
	var err error
	p.inForker(func() { pid, err = start() })
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.helpers == nil {
		p.helpers = map[int]bool{}
	}
	p.helpers[pid] = true
	delete(p.orphans, pid) // taken for one before its id was known
	return nil
}

// Release forgets a child that Help has started. It is to be called before the
// child is reaped: then its id may be another's.
func (p *Reaper) Release(pid int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.helpers, pid)
}

// started takes note of a test that was started at the given time.
func (p *Reaper) started(pid int, tick uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running = map[int]uint64{}
	}
	p.running[pid] = tick
}

// ended takes note that a test is dead and reaped.
func (p *Reaper) ended(pid int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, pid)
}

// isTest reports whether a process group is one of a running test.
func (p *Reaper) isTest(group int) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.running[group]
	return ok
}

// mayBeOrphan takes note of a child of ours that may be an orphan, or a test about
// to be started.
func (p *Reaper) mayBeOrphan(pid int, tick uint64) {
	if p == nil || !p.adopts || !p.hasBadge(pid) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.running[pid]; !ok && !p.helpers[pid] {
		p.orphans[pid] = tick
	}
}
