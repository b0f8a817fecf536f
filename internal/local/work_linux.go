package local

import (
	"os"

	"whittle/internal/disk"

	"golang.org/x/sys/unix"
)

// sharedMemory is a file system in memory for all users.
const sharedMemory = "/dev/shm"

func workPlace(room uint64) string {
	if os.Getenv("TMPDIR") == "" && fits(sharedMemory, room) {
		return sharedMemory
	}
	return os.TempDir()
}

// fits reports whether a place is in memory, has room, and allows programs.
func fits(place string, room uint64) bool {
	var s unix.Statfs_t
	return unix.Statfs(place, &s) == nil && s.Type == unix.TMPFS_MAGIC && !disk.NoExec(place) &&
		s.Bavail*uint64(s.Bsize) >= room && unix.Access(place, unix.W_OK|unix.X_OK) == nil
}
