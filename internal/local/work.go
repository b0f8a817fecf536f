package local

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"syscall"

	"whittle/internal/process"
	"whittle/oracle"

	"golang.org/x/sys/unix"
)

// A Work is the directory of one run. A lock tells the next run whether to remove it, and a mark
// tells it from copies.
type Work struct {
	Dir  string // absolute
	lock *os.File
}

var workName = regexp.MustCompile(`^whittle-work-[0-9]+$`)

// OpenWork creates a work directory in parent, by default TMPDIR if set, else memory (/dev/shm)
// if that has room bytes and allows programs, else /tmp. First it removes the directories of this
// user's killed runs there, and kills their tests. Errors are [*oracle.EnvironmentError]s.
func OpenWork(parent string, room uint64) (*Work, error) {
	if parent == "" {
		parent = workPlace(room)
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, oracle.Errorf("cannot find the directory for tests: %w", err)
	}
	for _, place := range []string{parent, os.TempDir(), sharedMemory} {
		clearAway(place)
	}
	for {
		dir, err := os.MkdirTemp(parent, "whittle-work-")
		if err != nil {
			return nil, oracle.Errorf("cannot make a directory for the tests: %w%s", err, process.Advice(err))
		}
		lock, err := lockDirectory(dir)
		if errors.Is(err, errTaken) { // by another whittle
			continue
		}
		w := &Work{Dir: dir, lock: lock}
		if err := os.WriteFile(markPath(dir), workMark(dir), 0o600); err != nil {
			w.Close()
			return nil, oracle.Errorf("cannot make a directory for the tests: %w%s", err, process.Advice(err))
		}
		return w, nil
	}
}

func markPath(dir string) string { return filepath.Join(dir, "whittle-work") }

func workMark(dir string) []byte {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "%s %d\n", dir, info.Sys().(*syscall.Stat_t).Ino)
}

// isWork reports whether dir is a work directory of this user. After a kill it may have only the
// beginning of the mark.
func isWork(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err == nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	f, err := root.OpenFile(filepath.Base(markPath(dir)), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	want := workMark(dir)
	mark, err := io.ReadAll(io.LimitReader(f, int64(len(want))+1))
	return err == nil && (bytes.Equal(mark, want) || len(entries) == 1 && bytes.HasPrefix(want, mark))
}

// Close removes the directory.
func (w *Work) Close() error {
	defer w.lock.Close() // may be nil
	return removeWork(w.Dir)
}

// removeWork removes the mark last, so that another run can complete the removal.
func removeWork(dir string) error {
	entries, _ := os.ReadDir(dir) // RemoveTree reports the error
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); path != markPath(dir) {
			if err := process.RemoveDirectory(path); err != nil {
				return err
			}
		}
	}
	return process.RemoveDirectory(dir)
}

// errTaken means locked or gone.
var errTaken = errors.New("taken")

// lockDirectory locks a directory. The error is errTaken, or of a file system without locks.
func lockDirectory(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		err = errTaken
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	opened, errOpened := f.Stat()
	now, errNow := os.Lstat(dir)
	switch {
	case err == nil && errOpened == nil && errNow == nil && os.SameFile(opened, now):
		return f, nil
	case err == nil, errors.Is(err, unix.EWOULDBLOCK):
		err = errTaken
	}
	f.Close()
	return nil, err
}

// clearAway removes work directories of dead owners, and kills their tests. It ignores errors.
func clearAway(place string) {
	entries, err := os.ReadDir(place)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !workName.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(place, e.Name())
		if !isWork(dir) {
			continue
		}
		if lock, err := lockDirectory(dir); err == nil {
			process.KillAllMarked("TMPDIR=" + dir + "/")
			removeWork(dir)
			lock.Close()
		}
	}
}
