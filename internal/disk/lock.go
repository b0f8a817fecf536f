// Package disk does with files what the standard library does not: it locks them,
// writes programs that can be executed at once, and removes directories whatever a
// test has made of them.
package disk

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrInUse says that another process has the lock.
var ErrInUse = errors.New("in use by another whittle")

// lockWait is how long to wait for another's lock: a process that was just killed
// may not be dead yet.
const lockWait = time.Second

// Lock opens a plain file, or makes it, and locks it until it is closed or its owner
// dies. The error is [ErrInUse] if another process has the lock.
func Lock(path string) (*os.File, error) {
	for end := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		f, err := tryLock(path)
		if err != ErrInUse || time.Now().After(end) {
			return f, err
		}
	}
}

// tryLock does it once.
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
		// Other errors say that the file system knows no locks.
		err = ErrInUse
	default:
		// The one that had the lock may have moved the file or removed it.
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
