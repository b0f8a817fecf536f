package local

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"whittle/internal/process"
	"whittle/oracle"
)

// DefaultLimits returns generous limits: 4 GiB of memory, or half of the machine's if that is
// less, and 512 MiB on disk.
func DefaultLimits() oracle.Limits {
	return oracle.Limits{Memory: min(4<<30, process.MachineMemory()/2), Disk: 512 << 20}
}

// LimitFiles limits the size of each file that this process and its later children write; 0 means
// no limit. It also prevents core files: unlike 0, a limit of one byte keeps the kernel from
// piping cores to a program. The function undo restores the limits.
//
// Only limits that a process has from its start apply to all its descendants.
func LimitFiles(size uint64) (undo func()) {
	core := softLimit(unix.RLIMIT_CORE, 1)
	file := func() {}
	if size > 0 {
		// Without a handler the signal would end this process.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ)
		file = softLimit(unix.RLIMIT_FSIZE, size)
	}
	return func() {
		core()
		file()
	}
}

// softLimit sets a soft limit of this process. Errors mean that the limit is lower already.
func softLimit(resource int, limit uint64) (undo func()) {
	var before unix.Rlimit
	if unix.Getrlimit(resource, &before) != nil {
		return func() {}
	}
	unix.Setrlimit(resource, &unix.Rlimit{Cur: min(limit, before.Max), Max: before.Max})
	return func() { unix.Setrlimit(resource, &before) }
}

// FreeMemory returns the available memory in bytes, or the highest number if it is unknown.
func FreeMemory() uint64 { return process.FreeMemory() }
