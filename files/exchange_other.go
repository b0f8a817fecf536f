//go:build !linux

package files

import "errors"

// exchange cannot be done here.
func exchange(_, _ string) error { return errors.ErrUnsupported }
