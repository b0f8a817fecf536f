//go:build !linux

package output

import "errors"

// exchange cannot be done here.
func exchange(_, _ string) error { return errors.ErrUnsupported }

// syncSystem makes what is in path stay if the power fails.
func syncSystem(path string) error { return syncAll(path) }
