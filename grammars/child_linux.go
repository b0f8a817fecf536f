package grammars

import "syscall"

// thisProgram returns a path of the running program that stays valid if the file is replaced.
func thisProgram() (string, error) { return "/proc/self/exe", nil }

func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
