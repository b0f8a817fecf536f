// Package environment has the error of what whittle needs from its surroundings
// and does not get, as space on a disk or a program that can be started.
package environment

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// An Error says that something failed which has nothing to do with a candidate. The
// public name is oracle.EnvironmentError.
type Error struct {
	Err error // the whole message; wraps the cause
}

// Error returns the message: what failed, on which file and, where known, what to
// do about it.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Errorf formats an [*Error], as [fmt.Errorf] does.
func Errorf(format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...)}
}

// Advice returns what to do about an error in a test's directory, as the end of
// its message.
func Advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "; free some space there or set TMPDIR to a roomier place"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist),
		errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return "; set TMPDIR to a directory that can be written to"
	}
	return ""
}
