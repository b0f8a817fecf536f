//go:build unix

package treesitter

import "syscall"

// limit bounds what the parse of a text of this size may take of this process.
// The work of a parse is bounded already (see guard.c). This is for what is not
// counted: scanners that do not read on, and tree-sitter where it merges stacks,
// which can take exponential time. It is several times what counted work takes.
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
