// Package interrupt ends a command at a signal or a time limit. Both end a context. Work that
// ignores the context is abandoned a second later.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// An Error is the end of a run by a signal.
type Error struct{ Signal syscall.Signal }

func (e Error) Error() string { return "interrupted by " + unix.SignalName(e.Signal) }

// secondKey is the context key of the context that ends at the second signal.
type secondKey struct{}

// Context returns a context that ends at the first terminating signal. Its cause is an [Error].
// Later signals only shorten the cleanup (see [Late]): they must not change the exit code.
func Context() context.Context {
	second, again := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), secondKey{}, second))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		for s := range signals {
			hurry := ctx.Err() != nil || s == syscall.SIGQUIT
			cancel(Error{s.(syscall.Signal)}) // first: abandoned waits return the cause of ctx
			if hurry {
				again()
			}
		}
	}()
	// Handle SIGPIPE like the others: otherwise a closed stderr kills whittle before the cleanup.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	go func() {
		for range pipes {
			if pipeClosed() {
				cancel(Error{syscall.SIGPIPE})
			}
		}
	}()
	return ctx
}

// pipeClosed reports whether stdout or stderr is a pipe without a reader. SIGPIPE also reports
// broken connections, whose users get an error.
func pipeClosed() bool {
	ours := []unix.PollFd{{Fd: 1}, {Fd: 2}}
	unix.Poll(ours, 0)
	return (ours[0].Revents|ours[1].Revents)&(unix.POLLERR|unix.POLLHUP) != 0
}

// Attend confirms the first signal by say, and calls status at each SIGUSR1, until end. After the
// first call, SIGUSR1 no longer kills whittle.
func Attend(ctx context.Context, say func(text string), status func()) (end func()) {
	heard := context.AfterFunc(ctx, func() {
		if !TimeOver(ctx) {
			say("finishing; a second interrupt exits at once")
		}
	})
	stop := on(syscall.SIGUSR1, func(<-chan os.Signal) { status() })
	return func() {
		heard()
		stop()
	}
}

// OnStop calls stop when the user stops whittle with Ctrl-Z, and resume when it continues: tests
// are in process groups of their own, which the terminal does not stop. Without a terminal,
// whittle ignores the signal: it would stop forever.
func OnStop(stop, resume func()) (end func()) {
	unheard := on(syscall.SIGTSTP, func(stops <-chan os.Signal) {
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

// on calls f at each signal of a kind, until stop. The signal has no other effect, even after stop.
func on(s os.Signal, f func(signals <-chan os.Signal)) (stop func()) {
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
