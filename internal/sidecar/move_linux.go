package sidecar

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Move renames a file, directory or link. Where there is something already, it
// does not, and the error is fs.ErrExist.
func Move(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // not every file system can
		return move(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
