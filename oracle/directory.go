package oracle

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// makeDirectory makes a fresh directory in work that only this user can enter,
// and returns its absolute path.
func makeDirectory(work string) (string, error) {
	work, err := filepath.Abs(work)
	if err != nil {
		return "", environmentError("cannot find the directory for tests: %w", err)
	}
	dir, err := os.MkdirTemp(work, "test-*")
	if err != nil {
		return "", environmentError("cannot make a directory for the test: %w%s", err, advice(err))
	}
	return dir, nil
}

// removeDirectory removes dir and all that is in it, as RemoveTree does.
func removeDirectory(dir string) error {
	if err := RemoveTree(dir); err != nil {
		return environmentError("cannot remove the directory of a test: %w; remove it by hand", err)
	}
	return nil
}

// RemoveTree removes dir and all that is in it. It makes accessible what is
// inaccessible, and tries for about half a second, as a killed process may still
// be ending a system call in it. A directory that is already gone is fine.
func RemoveTree(dir string) error {
	err := os.RemoveAll(dir)
	for pause := time.Millisecond; err != nil && pause < 500*time.Millisecond; pause *= 2 {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				os.Chmod(path, 0o700) // called before the directory is read
			}
			return nil
		})
		if err = os.RemoveAll(dir); err != nil {
			time.Sleep(pause)
		}
	}
	return err
}
