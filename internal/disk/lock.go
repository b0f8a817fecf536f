// Package disk adds to package os: locks, atomic moves, names of sidecar files, executables that
// run at once, and removal of directories that are locked, deeply nested or have mounts.
package disk

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrInUse means that another process has the lock.
var ErrInUse = errors.New("in use by another whittle")

// lockWait is the time that a killed process may take to release a lock.
const lockWait = time.Second

// Lock opens or creates a regular file and locks it until it is closed, or returns [ErrInUse].
func Lock(path string) (*os.File, error) {
	for end := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		f, err := tryLock(path)
		if err != ErrInUse || time.Now().After(end) {
			return f, err
		}
	}
}

func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		if errors.Is(err, syscall.ELOOP) {
			err = errors.New("it is a symbolic link")
		}
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("it is no plain file")
	case unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == unix.EWOULDBLOCK:
		// Others mean no support for locks.
		err = ErrInUse
	default:
		// The last owner may have moved or removed it.
		if there, e := os.Lstat(path); e != nil || !os.SameFile(info, there) {
			err = ErrInUse
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
