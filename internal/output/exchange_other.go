//go:build !linux

package output

import "errors"

// exchange is not available.
func exchange(_, _ string) error { return errors.ErrUnsupported }

// syncSystem syncs the files below path.
func syncSystem(path string) error { return syncAll(path) }
