package oracle

import "fmt"

// An EnvironmentError means that candidates cannot be tested, for example because a disk is full.
type EnvironmentError struct {
	Err error // the message; wraps the cause
}

// Error returns the failure, perhaps with advice.
func (e *EnvironmentError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *EnvironmentError) Unwrap() error { return e.Err }

// Errorf formats an [*EnvironmentError], as [fmt.Errorf] does.
func Errorf(format string, args ...any) error {
	return &EnvironmentError{Err: fmt.Errorf(format, args...)}
}
