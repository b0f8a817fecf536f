package oracle

import "fmt"

// An EnvironmentError says that a candidate could not be tested: no space for it, a test
// program that does not start, a directory that cannot be removed. It says nothing about
// the candidate, and the next one would usually fail alike.
type EnvironmentError struct {
	Err error // the whole message; wraps the cause
}

// Error returns the message: what failed, on which file and, if known, what to do about it.
func (e *EnvironmentError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *EnvironmentError) Unwrap() error { return e.Err }

// Errorf formats an [*EnvironmentError], as [fmt.Errorf] does.
func Errorf(format string, args ...any) error {
	return &EnvironmentError{Err: fmt.Errorf(format, args...)}
}
