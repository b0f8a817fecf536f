package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Sync writes a file or directory to the disk, so that it survives a power failure. A file
// system without support for it is no error.
func Sync(f *os.File) error {
	if err := f.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// SyncName syncs the parent directory of a path, so that the name survives a power failure.
// A directory that cannot be opened is skipped.
func SyncName(path string) error {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	return errors.Join(Sync(f), f.Close())
}
