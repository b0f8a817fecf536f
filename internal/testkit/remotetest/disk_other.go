//go:build !linux

package remotetest

import (
	"errors"
	"testing"
)

// LimitDisk fails: only Linux mounts a disk for a test.
func (s *Server) LimitDisk(testing.TB, int64) error { return errors.ErrUnsupported }

// FillDisk fails, like LimitDisk.
func (s *Server) FillDisk() (release func() error, err error) { return nil, errors.ErrUnsupported }
