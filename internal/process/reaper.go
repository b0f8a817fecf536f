package process

import (
	"sync"

	"golang.org/x/sys/unix"
)

// A Reaper kills the processes that tests leave behind. The zero value and nil kill only as each
// test does. After Adopt, on Linux, orphans with a new group and a wiped environment become
// children of this process, and die as soon as no running test could own them.
type Reaper struct {
	forking sync.RWMutex // read-locked from before a fork until the child is in running
	closed  bool         // no further starts; guarded by forking

	mu      sync.Mutex
	running map[int]uint64 // start times by main process; in ticks since boot
	orphans map[int]uint64 // start times by id
	adopts  bool
	helpers map[int]bool // from Help

	pause  pause
	forker chan func() // runs forks in one thread; nil means any thread

	badge     uint64      // since Adopt
	badgeless unix.Rlimit // restored by Close
}

// Adopts reports whether orphans become children of this process.
func (p *Reaper) Adopts() bool { return p.adopts }

// Help makes start create a child that is not a test, and is left alone until Release.
func (p *Reaper) Help(start func() (pid int, err error)) error {
	if p == nil {
		p = &Reaper{}
	}
	p.forking.RLock()
	defer p.forking.RUnlock()
	if p.closed {
		_, err := start()
		return err
	}
	var pid int
	var err error
	if p.inForker(func() { pid, err = start() }); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.helpers == nil {
		p.helpers = map[int]bool{}
	}
	p.helpers[pid] = true
	delete(p.orphans, pid) // added while its id was unknown
	return nil
}

// Release unregisters a child of Help, before it is reaped and its id reused.
func (p *Reaper) Release(pid int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.helpers, pid)
}

func (p *Reaper) started(pid int, tick uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running = map[int]uint64{}
	}
	p.running[pid] = tick
}

func (p *Reaper) ended(pid int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, pid)
}

func (p *Reaper) isTest(group int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.running[group]
	return ok
}

// mayBeOrphan registers a child that is an orphan, or a test in its start.
func (p *Reaper) mayBeOrphan(pid int, tick uint64) {
	if !p.adopts || !p.hasBadge(pid) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.running[pid]; !ok && !p.helpers[pid] {
		p.orphans[pid] = tick
	}
}
