//go:build !linux

package grammars

import (
	"os"
	"syscall"
)

func thisProgram() (string, error) { return os.Executable() }

// If the parent dies, a child ends after its current parse.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
