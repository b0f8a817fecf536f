//go:build !linux

package output

import "errors"

func exchange(_, _ string) error { return errors.ErrUnsupported }

func syncSystem(path string) error { return syncAll(path) }
