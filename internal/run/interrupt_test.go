package run

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// Wait waits for functions that end with their context, and abandons others.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		if n, err := Wait(ctx, func() (int, error) { return 1, nil }); n != 1 || err != nil {
			t.Errorf("returned %d, %v", n, err)
		}
		cancel()
		if n, err := Wait(ctx, func() (int, error) {
			time.Sleep(Grace / 2)
			return 2, nil
		}); n != 2 || err != nil {
			t.Errorf("one that cleans up returned %d, %v", n, err)
		}
		n, err := Wait(ctx, func() (int, error) {
			time.Sleep(time.Hour)
			return 3, nil
		})
		if n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("one that does not listen returned %d, %v", n, err)
		}
		time.Sleep(time.Hour)
	})
}

// A limit ends after its time, or when the user ends it.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, release := Limit(t.Context(), time.Minute)
		defer release()
		if half := Half(ctx); half != 30*time.Second || Half(t.Context()) != 0 {
			t.Errorf("half of it is %v", half)
		}
		<-ctx.Done()
		if took := time.Since(began); took != time.Minute || !TimeOver(ctx) {
			t.Errorf("it ended after %v, by %v", took, context.Cause(ctx))
		}
		<-Late(ctx).Done()
		if took := time.Since(began); took != time.Minute+Grace {
			t.Errorf("it is late after %v", took)
		}
		for _, most := range []time.Duration{0, time.Minute} {
			limited, release := Limit(t.Context(), most)
			ctx, end := context.WithCancelCause(limited)
			if end(context.DeadlineExceeded); !TimeOver(ctx) {
				t.Errorf("ended by the user: %v", context.Cause(ctx))
			}
			release()
		}
	})
}

// A signal is not a time limit.
func TestLimitSignal(t *testing.T) {
	signalled, cancel := context.WithCancelCause(t.Context())
	ctx, release := Limit(signalled, time.Hour)
	defer release()
	signal := Interrupted{2}
	cancel(signal)
	<-ctx.Done()
	if err := Cause(ctx, ctx.Err()); TimeOver(ctx) || err != signal {
		t.Errorf("it ended by %v", err)
	}
	if err := Cause(ctx, errors.New("disk")); err.Error() != "disk" {
		t.Errorf("another error became %v", err)
	}
}

func TestSecondSignal(t *testing.T) {
	ctx := SignalContext()
	late := Late(ctx)
	syscall.Kill(syscall.Getpid(), syscall.SIGINT)
	<-ctx.Done()
	if late.Err() != nil {
		t.Error("one signal is enough")
	}
	began := time.Now()
	syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	<-late.Done()
	if waited := time.Since(began); waited >= Grace/2 {
		t.Errorf("after the second it waited for %v", waited)
	}
	if got := context.Cause(ctx); got != (Interrupted{Signal: syscall.SIGINT}) {
		t.Errorf("it ended by: %v", got)
	}
}

// A broken connection does not end the run.
func TestBrokenConnection(t *testing.T) {
	ctx := SignalContext()
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if _, err := w.WriteString("hello"); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("a write to a closed pipe: %v", err)
		}
		w.Close()
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if got := context.Cause(ctx); got != (Interrupted{syscall.SIGTERM}) {
		t.Errorf("it ended by: %v", got)
	}
}
