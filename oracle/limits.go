package oracle

import (
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Limits bound what a test may use, beside time. Zero is no limit.
type Limits struct {
	// Memory is how many bytes of memory a test's processes may have together.
	Memory uint64
	// Disk is how many bytes the files in a test's directory may take, of
	// which each takes at least 4 KiB.
	Disk uint64
}

// DefaultLimits are generous: 4 GiB of memory, or half of the machine's if that is
// less, and 512 MiB on disk.
func DefaultLimits() Limits {
	return Limits{Memory: min(4<<30, machineMemory()/2), Disk: 512 << 20}
}

// LimitFiles limits the files that this process and all that it starts from now on
// write, so that each gets at most so many bytes; 0 is no limit. There will be no
// core files: a limit of one byte, other than none, also keeps the kernel
// from handing cores to a program that collects them. It gives what takes the
// limits back.
//
// Only limits that a process has from its birth hold for all that it starts.
func LimitFiles(size uint64) (undo func()) {
	core := softLimit(unix.RLIMIT_CORE, 1)
	file := func() {}
	if size > 0 {
		// To a process that does not listen the signal would be the end.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ)
		file = softLimit(unix.RLIMIT_FSIZE, size)
	}
	return func() {
		core()
		file()
	}
}

// softLimit sets a limit of this process, which it can take back. What cannot be
// set is lower already.
func softLimit(resource int, limit uint64) (undo func()) {
	var before unix.Rlimit
	if unix.Getrlimit(resource, &before) != nil {
		return func() {}
	}
	unix.Setrlimit(resource, &unix.Rlimit{Cur: min(limit, before.Max), Max: before.Max})
	return func() { unix.Setrlimit(resource, &before) }
}

// A Limit is one that a test was killed for.
type Limit int32

// The limits.
const (
	NoLimit Limit = iota
	MemoryLimit
	DiskLimit     // for all its files together
	FileSizeLimit // for one file, see LimitFiles

	processorLimit // of Patience, which makes a Run TimedOut
)

// what says of what there was too much.
func (l Limit) what() string {
	if l == MemoryLimit {
		return "memory"
	}
	return "space on disk"
}

// A watch looks after a running test: not often, and less often if a look takes
// long, so that it costs little.
type watch struct {
	limits   Limits
	dir      string
	exceeded atomic.Int32 // the Limit for which it killed the test
	used     atomic.Int64 // processor time, a time.Duration, as far as it was seen
	done     chan struct{}
}

// The pause between two looks: at least watchPause, and watchShare times what
// a look takes.
const (
	watchPause = 100 * time.Millisecond
	watchShare = 5
)

// watch begins to look after the test g in dir, whose processes have mark in
// their environment, and may use so much processor time, or any if that is 0.
func (l Limits) watch(g *group, dir, mark string, processor time.Duration) *watch {
	w := &watch{limits: l, dir: dir, done: make(chan struct{})}
	if l == (Limits{}) && processor == 0 {
		return w
	}
	go func() {
		pause := watchPause
		for {
			select {
			case <-time.After(pause):
			case <-w.done:
				return
			}
			began := time.Now()
			use := g.use(mark, l.Memory)
			w.used.Store(int64(use.processor))
			over := l.exceeded(use.memory, dir)
			if over == NoLimit && processor > 0 && use.processor > processor {
				over = processorLimit
			}
			if over != NoLimit {
				w.exceeded.Store(int32(over))
				g.kill()
			}
			pause = max(watchPause, watchShare*time.Since(began))
		}
	}()
	return w
}

// A use is what the processes of a test use together.
type use struct {
	memory    uint64
	processor time.Duration // what they and those that they have waited for have used
}

// stop ends the watch and gives the limit for which it killed the test, as its
// status shows, or for which the system did. Of one that ended by itself it looks at
// the directory once more, for what a test has written must not count only if the
// watch happened to look in time.
func (w *watch) stop(status syscall.WaitStatus) Limit {
	close(w.done)
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return Limit(w.exceeded.Load())
	case status.Signaled() && status.Signal() == syscall.SIGXFSZ,
		status.ExitStatus() == exitSignal+int(syscall.SIGXFSZ):
		return FileSizeLimit
	}
	return w.limits.exceeded(0, w.dir)
}

// exceeded looks which limit is exceeded.
func (l Limits) exceeded(memory uint64, dir string) Limit {
	switch {
	case l.Disk > 0 && diskUse(dir, l.Disk) > l.Disk:
		return DiskLimit
	case l.Memory > 0 && memory > l.Memory:
		return MemoryLimit
	}
	return NoLimit
}

// leastFile is what a file counts for at least: even if it is empty, it takes
// some memory or a place on the disk.
const leastFile = 4096

// diskUse gives the bytes that the files below dir take. It stops counting once
// they are more than limit.
func diskUse(dir string, limit uint64) (used uint64) {
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
