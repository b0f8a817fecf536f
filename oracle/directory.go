package oracle

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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

// writeCandidate writes a new file with exactly the given permissions.
func writeCandidate(path string, mode fs.FileMode, data []byte) error {
	if mode&0o111 != 0 {
		// The test may execute the candidate, which fails with "text file
		// busy" while any process has it open for writing. A process that
		// is forked meanwhile to run another test would have, until its exec.
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		_, err = f.Write(data)
		if e := f.Chmod(mode); err == nil { // the umask may have taken something
			err = e
		}
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		return environmentError("cannot write the candidate: %w%s", err, advice(err))
	}
	return nil
}

// removeDirectory removes dir and all that is in it. It makes accessible what
// the test made inaccessible, and tries for about half a second, as a killed
// process may still be ending a system call. A directory that is already gone
// is fine.
func removeDirectory(dir string) error {
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
	if err != nil {
		return environmentError("cannot remove the directory of a test: %w; remove it by hand", err)
	}
	return nil
}
