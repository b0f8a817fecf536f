package output_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"

	"whittle/internal/output"
)

// In a synctest bubble the clock does not run while an open waits.
func TestStreamHurry(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	synctest.Test(t, func(t *testing.T) {
		done, cancel := context.WithCancel(t.Context())
		cancel()
		in, err := output.NewInput(false, "in")
		if err != nil {
			t.Fatal(err)
		}
		out, err := output.NewOutput(in, pipe, "test")
		if err != nil {
			t.Fatal(err)
		}
		if err := out.Finish(done); err == nil {
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
