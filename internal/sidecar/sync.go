package sidecar

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Sync makes what was written to a file or directory stay if the power fails.
// Not every file system can; that is no error.
func Sync(f *os.File) error {
	if err := f.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// SyncName makes the name of a file stay if the power fails: it syncs the
// directory that the file is in, if that can be read.
func SyncName(path string) error {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	return errors.Join(Sync(f), f.Close())
}
