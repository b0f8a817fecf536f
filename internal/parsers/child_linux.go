package parsers

import "syscall"

// thisProgram is a path of the program that runs, even if that was replaced.
func thisProgram() (string, error) { return "/proc/self/exe", nil }

// attributes are those of children that parse. They die with whittle.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
