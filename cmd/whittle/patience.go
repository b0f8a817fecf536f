package main

import (
	"context"
	"time"
)

// patience is how long after a signal whittle waits for a computation that does
// not listen: a grammar may take hours over a file.
const patience = 5 * time.Second

// patiently gives what f gives, or ctx's error if f goes on for longer than wait
// after ctx is done; then f is left behind, for the program ends.
func patiently[T any](ctx context.Context, wait time.Duration, f func() (T, error)) (T, error) {
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
	}
	select {
	case o := <-done:
		return o.value, o.err
	case <-time.After(wait):
		var none T
		return none, ctx.Err()
	}
}
