package local

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"whittle/internal/process"
	"whittle/oracle"
)

// DefaultLimits returns 4 GiB of memory, or half of the machine's if less, and 512 MiB on disk.
func DefaultLimits() oracle.Limits {
	return oracle.Limits{Memory: min(4<<30, process.MachineMemory()/2), Disk: 512 << 20}
}

// LimitFiles limits the size of files that this process and its later children write, and
// prevents core files, until undo; 0 means no limit. A core limit of one byte, unlike 0, also
// prevents piped cores.
func LimitFiles(size uint64) (undo func()) {
	core := softLimit(unix.RLIMIT_CORE, 1)
	file := func() {}
	if size > 0 {
		// Unhandled, the signal would end this process.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ)
		file = softLimit(unix.RLIMIT_FSIZE, size)
	}
	return func() {
		core()
		file()
	}
}

// softLimit ignores errors, which mean a lower limit.
func softLimit(resource int, limit uint64) (undo func()) {
	var before unix.Rlimit
	if unix.Getrlimit(resource, &before) != nil {
		return func() {}
	}
	unix.Setrlimit(resource, &unix.Rlimit{Cur: min(limit, before.Max), Max: before.Max})
	return func() { unix.Setrlimit(resource, &before) }
}
