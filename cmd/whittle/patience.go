package main

import (
	"context"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// patience is how long after a signal or the end of --max-time whittle waits for
// a computation that does not listen: a grammar may take hours over a file.
const patience = 5 * time.Second

// grace is how long after a second signal whittle waits for the tests that it is
// killing.
const grace = time.Second

// patiently gives what f gives, or ctx's error if ctx is done before; then f is
// left behind, for the program ends.
func patiently[T any](ctx context.Context, f func() (T, error)) (T, error) {
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
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// A limit says when not to wait for a reduction any longer: some patience after
// the time is up, but the test of the result, which comes then, may take as long
// as it takes.
type limit struct {
	time   time.Duration // 0 is none
	expire context.CancelFunc
	timer  *time.Timer
	end    time.Time
}

// newLimit gives a limit, and the context that is done when it is reached, or
// some patience after ctx, less after hurry.
func newLimit(ctx, hurry context.Context, t time.Duration) (context.Context, *limit) {
	until, expire := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(patience, expire) })
	context.AfterFunc(hurry, func() { time.AfterFunc(grace, expire) })
	return until, &limit{time: t, expire: expire}
}

// start begins to measure.
func (l *limit) start() {
	if l.time > 0 {
		l.end = time.Now().Add(l.time)
		l.timer = time.AfterFunc(l.time+patience, l.expire)
	}
}

// stop says that what follows has other limits.
func (l *limit) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// half gives half of the time that is left; 0 if there is no limit.
func (l *limit) half() time.Duration {
	if l.time == 0 {
		return 0
	}
	return max(time.Until(l.end)/2, time.Millisecond)
}

// confirmations is how often a result is tested again: a test that says yes at
// random, one time in five, gets a wrong result past one more test as often, past
// three one time in 125. Once the time is up, one has to do.
const confirmations = 3

// confirm stops the clock while the result is tested again.
func (l *limit) confirm(again func(ctx context.Context, candidate []byte, least int) (algo.Outcome, error)) oracle.Property {
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		least := confirmations
		if l.timer != nil {
			l.timer.Stop()
			defer func() { l.timer.Reset(max(0, time.Until(l.end)) + patience) }()
			if time.Now().After(l.end) {
				least = 1
			}
		}
		return again(ctx, candidate, least)
	}
}
