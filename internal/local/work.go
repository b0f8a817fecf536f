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

	"whittle/internal/environment"
	"whittle/internal/process"

	"golang.org/x/sys/unix"
)

// A Work is the directory of one run of whittle, in which each test gets its
// own. It is locked as long as the run lives, and so tells the next run whether
// it may be cleared away. A mark in it tells that it is one, and no copy of one.
type Work struct {
	Dir  string // its absolute path
	lock *os.File
}

// workName is what a Work is called: "whittle-work-" and a number.
var workName = regexp.MustCompile(`^whittle-work-[0-9]+$`)

// OpenWork makes a work directory in parent. If that is "", it is TMPDIR if
// that is set, else memory (/dev/shm) if there is room for so many bytes and
// programs may be run there, else /tmp.
//
// Before that it clears away what runs of this user that were killed have left in
// these places: their directories, and the processes of their tests.
//
// Errors are *EnvironmentErrors.
func OpenWork(parent string, room uint64) (*Work, error) {
	if parent == "" {
		parent = workPlace(room)
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, environment.Errorf("cannot find the directory for tests: %w", err)
	}
	for _, place := range []string{parent, os.TempDir(), sharedMemory} {
		clearAway(place)
	}
	for {
		dir, err := os.MkdirTemp(parent, "whittle-work-")
		if err != nil {
			return nil, environment.Errorf("cannot make a directory for the tests: %w%s", err, environment.Advice(err))
		}
		lock, err := lockDirectory(dir)
		if errors.Is(err, errTaken) { // by another whittle, which clears it away
			continue
		}
		w := &Work{Dir: dir, lock: lock}
		if err := os.WriteFile(markPath(dir), workMark(dir), 0o600); err != nil {
			w.Close()
			return nil, environment.Errorf("cannot make a directory for the tests: %w%s", err, environment.Advice(err))
		}
		return w, nil
	}
}

// markPath is the file in a work directory that has its mark.
func markPath(dir string) string { return filepath.Join(dir, "whittle-work") }

// workMark is the mark of a work directory: what nothing else has at the same
// time, nor a copy of it later.
func workMark(dir string) []byte {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "%s %d\n", dir, info.Sys().(*syscall.Stat_t).Ino)
}

// isWork reports whether dir is a work directory of this user: it has its mark, or
// nothing but the beginning of one, as its owner was killed before it had written it.
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
	defer w.lock.Close() // a nil lock does not mind
	return removeWork(w.Dir)
}

// removeWork removes a work directory, its mark last: what is left of it if that is
// interrupted, or cannot be done yet, is known for one.
func removeWork(dir string) error {
	entries, _ := os.ReadDir(dir) // the directory as a whole has the error
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); path != markPath(dir) {
			if err := process.RemoveDirectory(path); err != nil {
				return err
			}
		}
	}
	return process.RemoveDirectory(dir)
}

// errTaken says that a directory is locked by somebody, or gone.
var errTaken = errors.New("taken")

// lockDirectory locks a directory until the file it returns is closed or its owner
// dies. The error is errTaken, or one of a file system that has no such locks.
func lockDirectory(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		err = errTaken
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		var opened, now os.FileInfo
		if opened, err = f.Stat(); err == nil {
			if now, err = os.Lstat(dir); err != nil || !os.SameFile(opened, now) {
				err = errTaken
			}
		}
	} else if errors.Is(err, unix.EWOULDBLOCK) {
		err = errTaken
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// clearAway removes the work directories in place whose owners are dead, and kills
// what still runs of their tests. What cannot be removed stays.
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
