package interrupt_test

import (
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
