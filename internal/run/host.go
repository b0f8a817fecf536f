package run

import (
	"sync"
	"sync/atomic"

	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/interrupt"
	"whittle/internal/local"
	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/internal/tool"
)

// A Host holds what runs of one process share: work directory, reaper of processes, Ctrl-Z
// handler, parser processes and local tools. Runs at the same time need the same Host.
type Host struct {
	jobs    int
	parsers *grammars.Pool
	machine tool.Machine
	beside  atomic.Pointer[[2]func()] // of OnStop

	mu      sync.Mutex
	slots   *chain.Slots
	work    *local.Work
	reaper  *process.Reaper
	starter *sandbox.Starter
	closers closers
}

// NewHost returns the host of runs with so many tests at once. The caller closes it last.
func NewHost(jobs int) *Host {
	h := &Host{jobs: jobs, parsers: grammars.NewPool(jobs)}
	h.closers.Later(h.parsers.Close)
	h.OnStop(func() {}, func() {})
	return h
}

// OnStop sets functions to call before whittle stops, as by Ctrl-Z, and when it continues.
func (h *Host) OnStop(stop, resume func()) { h.beside.Store(&[2]func(){stop, resume}) }

// start makes the work directory below dir, or the default, for tests that write at most limit
// bytes each. Only the first call counts.
func (h *Host) start(dir string, limit uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.work != nil {
		return nil
	}
	work, err := local.OpenWork(dir, uint64(h.jobs)*limit)
	if err != nil {
		return err
	}
	h.work, h.reaper = work, process.Adopt()
	h.closers.Later(func() { work.Close() })
	h.closers.Later(func() {
		h.reaper.Kill(work.Dir)
		h.reaper.Close()
	})
	h.closers.Later(local.LimitFiles(limit))
	h.closers.Later(interrupt.OnStop(func() {
		h.beside.Load()[0]()
		h.reaper.Stop(work.Dir)
	}, func() {
		h.reaper.Continue(work.Dir)
		h.beside.Load()[1]()
	}))
	h.parsers.Spare(h.reaper)
	return nil
}

// sandboxes returns a starter of sandboxes with at most limit bytes below /tmp and /dev/shm. It
// needs start.
func (h *Host) sandboxes(limit uint64) *sandbox.Starter {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.starter == nil {
		h.starter = sandbox.NewStarter(h.reaper.Help, h.work.Dir, limit)
		h.closers.Later(h.starter.Close)
	}
	return h.starter
}

// slotsHere returns the slots for tests here in addition to the cluster.
func (h *Host) slotsHere(jobs, after int) *chain.Slots {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.slots == nil {
		h.slots = chain.NewSlots(jobs, after)
	}
	return h.slots
}

// Close releases the resources, the last first.
func (h *Host) Close() { h.closers.Close() }
