package local

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"whittle/internal/process"
	"whittle/oracle"
)

// DefaultLimits are generous: 4 GiB of memory, or half of the machine's if that is
// less, and 512 MiB on disk.
func DefaultLimits() oracle.Limits {
	return oracle.Limits{Memory: min(4<<30, process.MachineMemory()/2), Disk: 512 << 20}
}

// LimitFiles limits the files that this process and all that it starts from now on
// write, so that each gets at most so many bytes; 0 is no limit. There will be no
// core files: a limit of one byte, other than none, also keeps the kernel
// from handing cores to a program that collects them. It returns what takes the
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

// FreeMemory returns the bytes of memory that a program may still take, as many as
// can be where that is not known.
func FreeMemory() uint64 { return process.FreeMemory() }
