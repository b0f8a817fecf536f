package process

import (
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"whittle/oracle"
)

// A Watch enforces the limits of a running test. It looks less often if a look takes long, so
// that it costs little.
type Watch struct {
	limits   oracle.Limits
	dir      string
	exceeded atomic.Int32 // Limit for which it killed the test
	Used     atomic.Int64 // processor time, a time.Duration, if observed
	done     chan struct{}
}

// The pause between two looks is at least watchPause, and watchShare times the duration of a
// look.
const (
	watchPause = 100 * time.Millisecond
	watchShare = 5
)

// idleShare is the fraction of time, 1/idleShare, for which an idle test may use processors.
const idleShare = 200

// Watch starts to watch the test in dir, whose processes have mark in their environment. A
// processor limit of 0 means no limit. If idle is not 0, a test that uses hardly any processor time
// for so long is killed, too.
func (g *Group) Watch(l oracle.Limits, dir, mark string, processor, idle time.Duration) *Watch {
	w := &Watch{limits: l, dir: dir, done: make(chan struct{})}
	if l == (oracle.Limits{}) && processor == 0 && idle == 0 {
		return w
	}
	go func() {
		pause := watchPause
		var quiet, busy time.Duration // idle time, and processor time before it
		for {
			select {
			case <-time.After(pause):
			case <-w.done:
				return
			}
			began := time.Now()
			use := g.use(mark, l.Memory)
			w.Used.Store(int64(use.processor))
			over := exceeded(l, use.memory, dir)
			if use.processes > oracle.MaxProcesses {
				over = oracle.ProcessLimit
			}
			quiet += pause // unlike a clock, this does not count the time in which whittle is stopped
			if use.processor > busy+quiet/idleShare {
				quiet, busy = 0, use.processor
			}
			if over == oracle.NoLimit && (processor > 0 && use.processor > processor || idle > 0 && quiet >= idle) {
				over = oracle.ProcessorLimit
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

// A use is the use of resources by all processes of a test.
type use struct {
	memory    uint64
	processes int
	processor time.Duration // time that they and their reaped children have used
}

// Stop ends the watch and returns the limit for which the test was killed, according to status.
// If the test ended by itself, Stop measures the directory once more: whether a test exceeds the
// limit must not depend on the times of looks.
func (w *Watch) Stop(status syscall.WaitStatus) oracle.Limit {
	close(w.done)
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return oracle.Limit(w.exceeded.Load())
	case status.Signaled() && status.Signal() == syscall.SIGXFSZ,
		status.ExitStatus() == oracle.ExitSignal+int(syscall.SIGXFSZ):
		return oracle.FileSizeLimit
	}
	return exceeded(w.limits, 0, w.dir)
}

func exceeded(l oracle.Limits, memory uint64, dir string) oracle.Limit {
	switch {
	case l.Disk > 0 && DiskUse(dir, l.Disk) > l.Disk:
		return oracle.DiskLimit
	case l.Memory > 0 && memory > l.Memory:
		return oracle.MemoryLimit
	}
	return oracle.NoLimit
}

// leastFile is the minimal size of a file: even an empty file takes memory or disk space.
const leastFile = 4096

// DiskUse returns the size of the files below dir, in bytes. It stops counting above limit.
func DiskUse(dir string, limit uint64) (used uint64) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // it was just removed, or is locked
			return nil
		}
		size := uint64(leastFile)
		if info, err := d.Info(); err == nil {
			if s, ok := info.Sys().(*syscall.Stat_t); ok {
				size = max(size, uint64(s.Blocks)*512)
			}
		}
		if used += size; used > limit {
			return fs.SkipAll
		}
		return nil
	})
	return used
}
