package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"whittle/oracle/local"

	"golang.org/x/sys/unix"
)

// secondSignal gives a context that is done when the user asks for the end a
// second time, or by SIGQUIT. The first time it calls once.
func secondSignal(once func()) (hurry context.Context, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	hurry, cancel := context.WithCancel(context.Background())
	go func() {
		for _, act := range []func(){once, cancel} {
			select {
			case s := <-signals:
				if s == syscall.SIGQUIT {
					act = cancel
				}
				act()
			case <-hurry.Done():
				return
			}
		}
	}()
	return hurry, func() {
		signal.Stop(signals)
		cancel()
	}
}

// onStatus calls show at each SIGUSR1. From the first call of it on, whittle does
// not die of that signal.
func onStatus(show func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				show()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// onStop stops the tests of p in a directory whenever the user stops whittle, and
// lets them go on with it: they are in process groups of their own, which the
// Ctrl-Z of a terminal does not reach. Where there is no terminal to continue
// from, nothing stops whittle, as for that it would be for ever.
func onStop(p *local.Reaper, work string) (stop func()) {
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTSTP)
	done := make(chan struct{})
	go func() {
		defer signal.Stop(stops)
		for {
			select {
			case <-stops:
				if inForeground() {
					stopUntilContinued(p, work)
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

func stopUntilContinued(p *local.Reaper, work string) {
	p.Stop(work)
	defer p.Continue(work)
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
	<-continued
}

// inForeground tells whether this process group has a terminal's foreground.
func inForeground() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
