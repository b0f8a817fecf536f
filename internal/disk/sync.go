package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Sync makes a file or directory survive a power failure. File systems without support are no
// error.
func Sync(f *os.File) error {
	if err := f.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// SyncPath is Sync of the file or directory at a path. It skips what cannot be opened.
func SyncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	return errors.Join(Sync(f), f.Close())
}

// SyncName makes a path's name survive a power failure.
func SyncName(path string) error { return SyncPath(filepath.Dir(path)) }
