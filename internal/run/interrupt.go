package run

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"whittle/internal/local"
)

// An Interrupted error is the end of a run by a signal.
type Interrupted struct{ Signal syscall.Signal }

func (e Interrupted) Error() string { return "interrupted by " + unix.SignalName(e.Signal) }

// secondKey is the context key of the context that ends at the second signal.
type secondKey struct{}

// SignalContext returns a context that ends at the first terminating signal. Its cause is an [Interrupted].
// Later signals only shorten the cleanup (see [Late]): they must not change the exit code.
func SignalContext() context.Context {
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
			cancel(Interrupted{s.(syscall.Signal)}) // first: abandoned waits return the cause of ctx
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
				cancel(Interrupted{syscall.SIGPIPE})
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
	stop := local.OnSignal(syscall.SIGUSR1, func(<-chan os.Signal) { status() })
	return func() {
		heard()
		stop()
	}
}

// Grace is the time that a run has after a signal or a time limit to kill tests, to test the result
// again and to write it. Longer work is abandoned, such as parsing a file for hours.
const Grace = time.Second

// Limit returns a context that ends after most; 0 means never. release frees it.
func Limit(ctx context.Context, most time.Duration) (limited context.Context, release context.CancelFunc) {
	if most <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, most)
}

// TimeOver reports whether the context ended because of its time limit, not by a signal.
func TimeOver(ctx context.Context) bool { return context.Cause(ctx) == context.DeadlineExceeded }

// Half returns half of the time that ctx has left, or 0 without a deadline.
func Half(ctx context.Context) time.Duration {
	end, limited := ctx.Deadline()
	if !limited {
		return 0
	}
	return max(time.Until(end)/2, time.Millisecond)
}

// Late returns a context that ends Grace after ctx, or at a second signal. Wait for nothing after
// its end.
func Late(ctx context.Context) context.Context {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(Grace, cancel) })
	if second, is := ctx.Value(secondKey{}).(context.Context); is {
		context.AfterFunc(second, cancel)
	}
	return late
}

// Wait returns the results of f. If f does not return in time (see [Late]), it keeps running, and
// Wait returns the error of ctx.
func Wait[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := f()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-Late(ctx).Done():
		var none T
		return none, ctx.Err()
	}
}

// Do is [Wait] for a function without a result.
func Do(ctx context.Context, f func() error) error {
	_, err := Wait(ctx, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// Cause replaces an error that a signal caused by the signal.
func Cause(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}
