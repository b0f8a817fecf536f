package local

import (
	"os"

	"whittle/internal/disk"

	"golang.org/x/sys/unix"
)

// sharedMemory is the file system in memory that Linux has for all users.
const sharedMemory = "/dev/shm"

// workPlace returns the place for a work directory with so much room.
func workPlace(room uint64) string {
	if os.Getenv("TMPDIR") == "" && fits(sharedMemory, room) {
		return sharedMemory
	}
	return os.TempDir()
}

// fits reports whether a place is in memory, has room for so many bytes, and allows programs,
// which a test may compile there.
func fits(place string, room uint64) bool {
	var s unix.Statfs_t
	return unix.Statfs(place, &s) == nil && s.Type == unix.TMPFS_MAGIC && !disk.NoExec(place) &&
		s.Bavail*uint64(s.Bsize) >= room && unix.Access(place, unix.W_OK|unix.X_OK) == nil
}
