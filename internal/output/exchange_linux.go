package output

import (
	"os"

	"golang.org/x/sys/unix"
)

func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// syncSystem syncs the file system of a path: faster than each file.
func syncSystem(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return syncAll(path)
	}
	defer f.Close()
	if unix.Syncfs(int(f.Fd())) != nil {
		return syncAll(path)
	}
	return nil
}
