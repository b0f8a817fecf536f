package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"whittle/oracle"
	"whittle/parse/bundle"
)

// Replace makes the directory path hold the entries and nothing else. One with
// the path "." is the directory itself. On Linux, where the file system can exchange two
// directories, path is at any time what it was before or all of the new; else
// it is missing for a moment between the two. Whatever happens the entries of
// one of them are complete in path or beside it.
func Replace(path string, entries []bundle.Entry) error {
	next := beside(path)
	err := oracle.RemoveTree(next) // of a run that was killed
	if err == nil {
		err = os.Mkdir(next, 0o777)
	}
	if err == nil {
		err = Write(next, entries)
	}
	if err == nil {
		err = swap(path, next)
	}
	return errors.Join(err, oracle.RemoveTree(next), oracle.RemoveTree(previous(next)))
}

// previous gives the name that a directory has until the next is in its place,
// where the two cannot be exchanged.
func previous(next string) string { return next + "-old" }

// beside gives the name under which the next content of a directory is made. It
// is always the same, so what a killed run left is found.
func beside(path string) string {
	dir, base := filepath.Split(filepath.Clean(path))
	return filepath.Join(dir, "."+base+".whittle")
}

// swap puts the directory next in the place of path, which may be missing, and
// path in its.
func swap(path, next string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(next, path)
	}
	err := exchange(path, next)
	if !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	old := previous(next)
	if err := errors.Join(oracle.RemoveTree(old), os.Rename(path, old)); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return errors.Join(err, os.Rename(old, path))
	}
	return nil
}

// Writable finds out early whether Replace can work.
func Writable(path string) error {
	next := beside(path)
	if err := oracle.RemoveTree(next); err != nil {
		return err
	}
	if err := os.Mkdir(next, 0o700); err != nil {
		return err
	}
	return os.Remove(next)
}

// Sync makes what is in the directory stay if the power fails.
func Sync(path string) error {
	var failed error
	filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.IsDir() || d.Type().IsRegular()) {
			failed = errors.Join(failed, syncOne(path))
		}
		return nil // what cannot be read is not synced
	})
	return errors.Join(failed, syncOne(filepath.Dir(path)))
}

func syncOne(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) { // not every file system can
		err = nil
	}
	return errors.Join(err, f.Close())
}
