//go:build unix

package treesitter

import "syscall"

// limit sets resource limits for the parse of a text. They are several times the limits of guard.c for counted
// work, and stop uncounted work: scanners that do not advance, and merging stacks, which can take exponential time.
func limit(size int) {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	seconds := uint64(used.Utime.Sec+used.Stime.Sec) + 4 + uint64(size)/(2<<10)
	for what, most := range map[int]uint64{
		syscall.RLIMIT_CPU: seconds,
		syscall.RLIMIT_AS:  4<<30 + 256*uint64(size),
	} {
		var l syscall.Rlimit
		if syscall.Getrlimit(what, &l) == nil {
			l.Cur = min(most, l.Max)
			syscall.Setrlimit(what, &l)
		}
	}
}
