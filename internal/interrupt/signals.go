// Package interrupt ends a command: at a signal, or when its time is over. Both end a
// context, and what does not listen to it is left behind a second later.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// An Error is the end by a signal.
type Error struct{ Signal syscall.Signal }

func (e Error) Error() string { return "interrupted by " + unix.SignalName(e.Signal) }

// secondKey is the key of the context that ends at the second signal.
type secondKey struct{}

// Context returns a context that ends when the user, or the system, asks for the end. Its
// cause is an [Error]. From then on such a signal only hurries what is under way, see
// [Late]: one that comes late must not take the exit code of the process.
func Context() context.Context {
	second, again := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), secondKey{}, second))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) { // else nohup wants us to go on
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		for s := range signals {
			hurry := ctx.Err() != nil || s == syscall.SIGQUIT
			cancel(Error{s.(syscall.Signal)}) // first: what no longer waits asks ctx for its error
			if hurry {
				again()
			}
		}
	}()
	// A broken pipe is a signal like the others: without this, a reader of our
	// stderr who goes away would kill us before we have cleaned up.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	go func() {
		for range pipes {
			if nobodyReads() {
				cancel(Error{syscall.SIGPIPE})
			}
		}
	}()
	return ctx
}

// nobodyReads reports whether stdout or stderr is a pipe without a reader. A connection
// that broke is also told by SIGPIPE, and by an error to whom it concerns.
func nobodyReads() bool {
	ours := []unix.PollFd{{Fd: 1}, {Fd: 2}}
	unix.Poll(ours, 0)
	return (ours[0].Revents|ours[1].Revents)&(unix.POLLERR|unix.POLLHUP) != 0
}

// OnStatus calls show at each SIGUSR1. From the first call of it on, whittle does
// not die of that signal.
func OnStatus(show func()) (stop func()) {
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

// OnStop calls stop whenever the user stops whittle, and resume when it goes on:
// tests are in process groups of their own, which the Ctrl-Z of a terminal does not
// reach. Where there is no terminal to continue from, nothing stops whittle, as for
// that it would be for ever.
func OnStop(stop, resume func()) (end func()) {
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, syscall.SIGTSTP)
	done := make(chan struct{})
	go func() {
		defer signal.Stop(stops)
		for {
			select {
			case <-stops:
				if inForeground() {
					stop()
					untilContinued(stops)
					resume()
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// untilContinued stops this process, and again at each of stops: whoever is stopped
// anew went on before, though the system may have dropped the news of that, as it
// does where a SIGTSTP finds a SIGCONT that was not handled yet.
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

// inForeground reports whether this process group has a terminal's foreground.
func inForeground() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
