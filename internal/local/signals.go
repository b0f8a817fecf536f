package local

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// OnStop calls stop when the user stops whittle with Ctrl-Z, and resume when it continues: tests
// are in process groups of their own, which the terminal does not stop. Without a terminal,
// whittle ignores the signal: it would stop forever.
func OnStop(stop, resume func()) (end func()) {
	unheard := OnSignal(syscall.SIGTSTP, func(stops <-chan os.Signal) {
		if inForeground() {
			stop()
			untilContinued(stops)
			resume()
		}
	})
	return func() {
		unheard()
		signal.Reset(syscall.SIGTSTP)
	}
}

// OnSignal calls f at each signal of a kind, until stop. The signal has no other effect, even after stop.
func OnSignal(s os.Signal, f func(signals <-chan os.Signal)) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, s)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				f(signals)
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// untilContinued stops this process, and stops it again at each signal of stops: the process
// continued before such a signal, but the kernel drops a pending SIGCONT at a SIGTSTP.
func untilContinued(stops <-chan os.Signal) {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	for {
		syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
		select {
		case <-continued:
			return
		case <-stops:
		}
	}
}

// inForeground reports whether this process group is in the foreground of a terminal.
func inForeground() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
