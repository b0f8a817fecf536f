package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Move renames a file, directory or link, or returns fs.ErrExist if the target exists.
func Move(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // not supported by the file system
		return moveInSteps(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
