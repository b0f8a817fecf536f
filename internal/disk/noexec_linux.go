package disk

import "golang.org/x/sys/unix"

// NoExec reports whether the file system of a path lets no program run.
func NoExec(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}
