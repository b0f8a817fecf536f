package process

import (
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"whittle/oracle"
)

// A Watch enforces the limits of a running test.
type Watch struct {
	limits   oracle.Limits
	dir      string
	exceeded atomic.Int32 // Limit of the kill
	done     chan struct{}

	Used    atomic.Int64 // processor time, a time.Duration, if observed
	Longest atomic.Int64 // of one process, likewise
	Waited  atomic.Int64 // longest time without a processor
	Runaway atomic.Bool  // a program that the test built was killed alone
	Disk    uint64       // bytes of all files, after Stop of a test that ended by itself; 0 without a limit
}

// The pause between looks is at least watchPause, and watchShare times as long as a look.
const (
	watchPause = 100 * time.Millisecond
	watchShare = 5
)

// An idle test uses at most 1/idleShare of a processor.
const idleShare = 200

// Watch enforces the limits of spec, except Timeout, for the test in dir, whose processes have mark in their
// environment. A program in dir that exceeds the limit of one process is killed alone, so the build that runs it ends
// by itself.
func (g *Group) Watch(spec *oracle.Spec, dir, mark string) *Watch {
	l, processor, idle := spec.Limits, spec.Processor, spec.Idle
	w := &Watch{limits: l, dir: dir, done: make(chan struct{})}
	go func() {
		pause := watchPause
		var quiet, busy time.Duration
		for {
			select {
			case <-time.After(pause):
			case <-w.done:
				return
			}
			began := time.Now()
			use := g.use(mark, l.Memory)
			w.Used.Store(int64(use.processor))
			w.Longest.Store(max(w.Longest.Load(), int64(use.longest)))
			over, _ := exceeded(l, use.memory, dir)
			if use.processes > oracle.MaxProcesses {
				over = oracle.ProcessLimit
			}
			quiet += pause // excludes stops of whittle
			if use.processor > busy+quiet/idleShare {
				quiet, busy = 0, use.processor
			}
			w.Waited.Store(max(w.Waited.Load(), int64(quiet)))
			if over == oracle.NoLimit && (processor > 0 && use.processor > processor || idle > 0 && quiet >= idle) {
				over = oracle.ProcessorLimit
			}
			if over == oracle.NoLimit && spec.Process > 0 && use.longest > spec.Process {
				if killProduct(use.busiest, dir) {
					w.Runaway.Store(true)
				} else {
					over = oracle.ProcessorLimit
				}
			}
			if over != oracle.NoLimit {
				w.exceeded.Store(int32(over))
				g.Kill()
			}
			pause = max(watchPause, watchShare*time.Since(began))
		}
	}()
	return w
}

// A use has the resources of all processes of a test.
type use struct {
	memory    uint64
	processes int
	processor time.Duration // with reaped children
	busiest   int           // process
	longest   time.Duration // processor time of the busiest process
}

// Stop ends the watch and returns the limit of the kill, according to status. It measures the
// directory of a test that ended by itself again, since results must not depend on timing.
func (w *Watch) Stop(status syscall.WaitStatus) oracle.Limit {
	close(w.done)
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return oracle.Limit(w.exceeded.Load())
	case status.Signaled() && status.Signal() == syscall.SIGXFSZ,
		status.ExitStatus() == oracle.ExitSignal+int(syscall.SIGXFSZ):
		return oracle.FileSizeLimit
	}
	var limit oracle.Limit
	limit, w.Disk = exceeded(w.limits, 0, w.dir)
	return limit
}

func exceeded(l oracle.Limits, memory uint64, dir string) (limit oracle.Limit, disk uint64) {
	if l.Disk > 0 {
		disk = DiskUse(dir, l.Disk)
	}
	switch {
	case disk > l.Disk:
		limit = oracle.DiskLimit
	case l.Memory > 0 && memory > l.Memory:
		limit = oracle.MemoryLimit
	}
	return limit, disk
}

// leastFile counts for each file, since an empty one has a cost, too.
const leastFile = 4096

// DiskUse returns the bytes of the files below dir, each link once. It stops above limit.
func DiskUse(dir string, limit uint64) (used uint64) {
	linked := map[uint64]bool{}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // removed or locked
			return nil
		}
		size := uint64(leastFile)
		if info, err := d.Info(); err == nil {
			if s, ok := info.Sys().(*syscall.Stat_t); ok {
				size = max(size, uint64(s.Blocks)*512)
				if linked[s.Ino] {
					size = 0
				} else if s.Nlink > 1 && !d.IsDir() {
					linked[s.Ino] = true
				}
			}
		}
		if used += size; used > limit {
			return fs.SkipAll
		}
		return nil
	})
	return used
}
