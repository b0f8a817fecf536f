package main

import "syscall"

// thisProgram is a path of the program that runs, even if that was replaced.
func thisProgram() (string, error) { return "/proc/self/exe", nil }

// parserAttributes are those of children that parse. They die with whittle.
func parserAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
