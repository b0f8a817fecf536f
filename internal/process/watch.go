package process

import (
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"whittle/oracle"
)

// A Watch looks after a running test: not often, and less often if a look takes
// long, so that it costs little.
type Watch struct {
	limits   oracle.Limits
	dir      string
	exceeded atomic.Int32 // the Limit for which it killed the test
	Used     atomic.Int64 // processor time, a time.Duration, as far as it was seen
	done     chan struct{}
}

// The pause between two looks: at least watchPause, and watchShare times what
// a look takes.
const (
	watchPause = 100 * time.Millisecond
	watchShare = 5
)

// idleShare is the part of the time that a test may use processors and be idle still.
const idleShare = 200

// Watch begins to look after the test in dir, whose processes have mark in
// their environment, and may use so much processor time, or any if that is 0. If idle is not
// 0, a test that uses nearly no processor time for so long is killed, too.
func (g *Group) Watch(l oracle.Limits, dir, mark string, processor, idle time.Duration) *Watch {
	w := &Watch{limits: l, dir: dir, done: make(chan struct{})}
	if l == (oracle.Limits{}) && processor == 0 && idle == 0 {
		return w
	}
	go func() {
		pause := watchPause
		var quiet, busy time.Duration // how long it was idle, and what it had used before that
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
			quiet += pause // by this clock the time in which whittle is stopped does not count
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

// A use is what the processes of a test use together.
type use struct {
	memory    uint64
	processes int
	processor time.Duration // what they and those that they have waited for have used
}

// Stop ends the watch and returns the limit for which it killed the test, as its
// status shows, or for which the system did. Of one that ended by itself it looks at
// the directory once more, for what a test has written must not count only if the
// watch happened to look in time.
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

// exceeded looks which limit is exceeded.
func exceeded(l oracle.Limits, memory uint64, dir string) oracle.Limit {
	switch {
	case l.Disk > 0 && DiskUse(dir, l.Disk) > l.Disk:
		return oracle.DiskLimit
	case l.Memory > 0 && memory > l.Memory:
		return oracle.MemoryLimit
	}
	return oracle.NoLimit
}

// leastFile is what a file counts for at least: even if it is empty, it takes
// some memory or a place on the disk.
const leastFile = 4096

// DiskUse returns the bytes that the files below dir take. It stops counting once
// they are more than limit.
func DiskUse(dir string, limit uint64) (used uint64) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // it has just been removed, or is locked
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
