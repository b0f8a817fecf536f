package interrupt

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if n, err := Wait(ctx, func() (int, error) { return 1, nil }); n != 1 || err != nil {
		t.Errorf("returned %d, %v", n, err)
	}
	cancel()
	for range 2 { // it never ends
		if n, err := Wait(ctx, func() (int, error) { select {} }); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("one that does not end returned %d, %v", n, err)
		}
	}
}

// The test of the result is not cut off, however late it is.
func TestDeadline(t *testing.T) {
	until, d := NewDeadline(t.Context(), t.Context(), 1)
	d.Start()
	over, resume := d.Pause()
	if !over || d.timer.Stop() || until.Err() != nil {
		t.Error("the clock goes on while it is paused")
	}
	if resume(); !d.timer.Stop() {
		t.Error("the clock does not go on after it")
	}
	d.Close()
	if until.Err() == nil {
		t.Error("the deadline is never reached")
	}
}

// After a second signal nobody waits for long, even without a limit.
func TestDeadlineHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		hurry, again := context.WithCancel(t.Context())
		until, _ := NewDeadline(ctx, hurry, 0)
		began := time.Now()
		interrupt()
		time.Sleep(overtime / 5)
		again()
		<-until.Done()
		if waited := time.Since(began); waited != overtime/5+grace {
			t.Errorf("waited for %v", waited)
		}
		synctest.Wait()
		time.Sleep(overtime) // for the first timer
	})
}

// The user may end the time, also while the clock stands still.
func TestDeadlineEnd(t *testing.T) {
	for _, paused := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			until, d := NewDeadline(t.Context(), t.Context(), 0)
			d.Start()
			resume := func() {}
			if paused {
				_, resume = d.Pause()
			}
			d.End()
			time.Sleep(10 * overtime)
			synctest.Wait()
			if paused == (until.Err() != nil) {
				t.Errorf("paused: %v, %v", paused, until.Err())
			}
			if over, again := d.Pause(); !over {
				t.Error("the time is not over")
			} else {
				again()
			}
			resume()
			time.Sleep(overtime)
			synctest.Wait()
			if until.Err() == nil {
				t.Error("it never ends")
			}
		})
	}
}
