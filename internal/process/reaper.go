package process

import (
	"sync"

	"golang.org/x/sys/unix"
)

// A Reaper tracks running tests. It finds and kills the processes that they leave behind, even
// processes that left the process group and wiped their environment. The zero value and nil kill only
// what each test kills by itself; Adopt returns one that kills all.
//
// On Linux the orphans of an adopting process become its children. A descendant of a test is
// killed as soon as no running test could own it.
type Reaper struct {
	forking sync.RWMutex // read-locked from before a fork until the child is in running
	closed  bool         // guarded by forking: no process is started any more

	mu      sync.Mutex
	running map[int]uint64 // start times of tests by the ids of their main processes; in ticks since boot
	orphans map[int]uint64 // start times of orphans by their ids
	adopts  bool
	helpers map[int]bool // children that Help started

	pause  pause
	forker chan func() // runs what forks a test, in one thread while tests run; nil means any thread

	badge     uint64      // of the processes started since Adopt
	badgeless unix.Rlimit // the limit that Close restores
}

func (p *Reaper) Adopts() bool { return p.adopts }

// Help makes start create a child of this process that is not a test. The child is left alone
// until Release.
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
	delete(p.orphans, pid) // it was added before its id was known
	return nil
}

// Release unregisters a child that Help started. It must be called before the child is reaped,
// since its id may be reused then.
func (p *Reaper) Release(pid int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.helpers, pid)
}

// started registers a test and its start time.
func (p *Reaper) started(pid int, tick uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running = map[int]uint64{}
	}
	p.running[pid] = tick
}

// ended unregisters a test that was reaped.
func (p *Reaper) ended(pid int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, pid)
}

// isTest reports whether a process group belongs to a running test.
func (p *Reaper) isTest(group int) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.running[group]
	return ok
}

// mayBeOrphan registers a child of this process that may be an orphan, or a test that is being
// started.
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
