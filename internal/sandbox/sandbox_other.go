//go:build !linux

package sandbox

import (
	"errors"
	"syscall"
)

// A Starter cannot start anything here: sandboxes need Linux.
type Starter struct{}

var errLinux = errors.New("a sandbox needs Linux")

// NewStarter returns a Starter that cannot start anything.
func NewStarter(func(func() (int, error)) error, string, uint64) *Starter { return &Starter{} }

// Level returns the zero Level.
func (s *Starter) Level(Policy) (Level, error) { return Level{}, nil }

// Start returns an error.
func (s *Sandbox) Start(string, []string, *syscall.ProcAttr) (int, error) { return 0, errLinux }

// Trace returns an error.
func (s *Sandbox) Trace([]string, string, []string, *syscall.ProcAttr) (int, error) {
	return 0, errLinux
}

// Overlays reports false.
func (s *Sandbox) Overlays([]string, string) bool { return false }

// TraceDirs returns nil.
func TraceDirs() []string { return nil }

// Written returns an error.
func (s *Sandbox) Written(int) ([]string, error) { return nil, errLinux }

// Close returns at once.
func (s *Starter) Close() {}

// Serve returns an error.
func Serve() error { return errLinux }
