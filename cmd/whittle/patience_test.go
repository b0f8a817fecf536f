package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
)

func TestPatiently(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if n, err := patiently(ctx, func() (int, error) { return 1, nil }); n != 1 || err != nil {
		t.Errorf("gave %d, %v", n, err)
	}
	cancel()
	for range 2 { // it never ends
		if n, err := patiently(ctx, func() (int, error) { select {} }); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("one that does not end gave %d, %v", n, err)
		}
	}
}

// The test of the result is not cut off, however late it is.
func TestLimit(t *testing.T) {
	until, l := newLimit(t.Context(), t.Context(), 1)
	l.start()
	outcome, err := l.confirm(func(_ context.Context, _ []byte, least int) (algo.Outcome, error) {
		if least != 1 {
			t.Errorf("after the end it is tested %d times", least)
		}
		if l.timer.Stop() {
			t.Error("the clock goes on during the test of the result")
		}
		return algo.Interesting, until.Err()
	})(t.Context(), nil)
	if outcome != algo.Interesting || err != nil {
		t.Errorf("gave %v, %v", outcome, err)
	}
	if !l.timer.Stop() {
		t.Error("the clock does not go on after it")
	}
	l.expire()
	if until.Err() == nil {
		t.Error("the limit is never reached")
	}
}

// After a second signal nobody waits for long, even without a limit.
func TestLimitHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		hurry, again := context.WithCancel(t.Context())
		until, _ := newLimit(ctx, hurry, 0)
		began := time.Now()
		interrupt()
		time.Sleep(patience / 5)
		again()
		<-until.Done()
		if waited := time.Since(began); waited != patience/5+grace {
			t.Errorf("waited for %v", waited)
		}
		synctest.Wait()
		time.Sleep(patience) // for the first timer
	})
}
