package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestSecondSignal(t *testing.T) {
	once := make(chan bool, 2)
	hurry, stop := secondSignal(func() { once <- true })
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

// In a hurry nobody waits for a reader of the result. In a synctest bubble time
// stands still while the file waits to be opened.
func TestStreamHurry(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	synctest.Test(t, func(t *testing.T) {
		done, cancel := context.WithCancel(t.Context())
		cancel()
		s := &stream{path: pipe}
		if err := s.finish(done, done); err == nil {
			t.Error("it was written to a pipe that nobody reads")
		}
		reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close() // once the writer has found it
		synctest.Wait()
	})
}
