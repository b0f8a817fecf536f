//go:build !linux

package grammars

import (
	"os"
	"syscall"
)

func thisProgram() (string, error) { return os.Executable() }

// childAttributes put a parser child into its own process group. If the parent dies, the child
// ends after its current parse.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
