package disk

import "golang.org/x/sys/unix"

// NoExec reports whether a file system runs no programs.
func NoExec(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}
