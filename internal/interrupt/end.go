package interrupt

import (
	"context"
	"errors"
	"time"
)

// Grace is the time that a run has after its end, by a signal or a limit, for what is under
// way: to kill tests, to test the result again, to write it. What takes longer is left
// behind, as a grammar that needs hours for a file.
const Grace = time.Second

// Limit returns a context whose time is over after most, never if that is 0, or as soon as
// end is called. Release frees it.
func Limit(ctx context.Context, most time.Duration) (limited context.Context, end, release func()) {
	limited, cancel := context.WithCancelCause(ctx)
	release = func() { cancel(nil) }
	if most > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(limited, most)
		release = func() {
			stop()
			cancel(nil)
		}
	}
	return limited, func() { cancel(context.DeadlineExceeded) }, release
}

// TimeOver reports whether the context has ended as its time is over, not by a signal.
func TimeOver(ctx context.Context) bool { return context.Cause(ctx) == context.DeadlineExceeded }

// Half returns half of the time that ctx has left, 0 if its time has no limit.
func Half(ctx context.Context) time.Duration {
	end, limited := ctx.Deadline()
	if !limited {
		return 0
	}
	return max(time.Until(end)/2, time.Millisecond)
}

// Late returns a context that ends Grace after ctx, or at a second signal. From then on
// nothing is waited for.
func Late(ctx context.Context) context.Context {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(Grace, cancel) })
	if second, is := ctx.Value(secondKey{}).(context.Context); is {
		context.AfterFunc(second, cancel)
	}
	return late
}

// Wait returns what f returns. If that does not come in time, see [Late], f is left behind,
// and the error is ctx's.
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

// Cause puts the signal in the place of the error that it led to.
func Cause(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}
