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
	ctx := interrupt.Context()
	late := interrupt.Late(ctx)
	syscall.Kill(syscall.Getpid(), syscall.SIGINT)
	<-ctx.Done()
	if late.Err() != nil {
		t.Error("one signal is enough")
	}
	began := time.Now()
	syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	<-late.Done()
	if waited := time.Since(began); waited >= interrupt.Grace/2 {
		t.Errorf("after the second it waited for %v", waited)
	}
	if got := context.Cause(ctx); got != (interrupt.Error{Signal: syscall.SIGINT}) {
		t.Errorf("it ended by: %v", got)
	}
}

// A broken connection does not end the run.
func TestBrokenConnection(t *testing.T) {
	ctx := interrupt.Context()
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
	if got := context.Cause(ctx); got != (interrupt.Error{syscall.SIGTERM}) {
		t.Errorf("it ended by: %v", got)
	}
}
