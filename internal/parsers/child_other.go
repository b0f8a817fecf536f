//go:build !linux

package parsers

import (
	"os"
	"syscall"
)

// thisProgram is a path of the program that runs.
func thisProgram() (string, error) { return os.Executable() }

// attributes are those of children that parse. They end with whittle, when
// they have done what they are at.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
