package interrupt_test

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"whittle/internal/interrupt"
)

func TestSecondSignal(t *testing.T) {
	once := make(chan bool, 2)
	hurry, stop := interrupt.Second(func() { once <- true })
	defer stop()
	syscall.Kill(syscall.Getpid(), syscall.SIGINT)
	<-once
	if hurry.Err() != nil {
		t.Error("one signal is enough")
	}
	syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	<-hurry.Done()
	select {
	case <-once:
		t.Error("once was called twice")
	case <-time.After(10 * time.Millisecond):
	}
}

// A connection that breaks is no wish to end.
func TestBrokenConnection(t *testing.T) {
	ctx := interrupt.Context()
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if _, err := w.WriteString("hello"); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("a write that nobody reads: %v", err)
		}
		w.Close()
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if got := context.Cause(ctx); got != (interrupt.Error{syscall.SIGTERM}) {
		t.Errorf("it ended by: %v", got)
	}
}
