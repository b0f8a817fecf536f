package main

import (
	"context"
	"errors"
	"os"
	"time"
)

// streamGrace is how long an interrupted whittle waits for a reader of its
// output.
const streamGrace = 2 * time.Second

// stream is a device or a pipe: written to once, at the end.
type stream struct {
	path string
	best []byte
}

// takeUp gives nothing, as what was written is gone.
func (s *stream) takeUp() []byte { return nil }

func (s *stream) write(file []byte) error {
	s.best = file
	return nil
}

func (s *stream) finish(ctx, hurry context.Context) error {
	written := make(chan error, 1)
	go func() { written <- s.send() }()
	var err error
	select {
	case err = <-written:
	case <-ctx.Done():
		select {
		case err = <-written:
		case <-hurry.Done():
			err = errors.New("nobody reads it")
		case <-time.After(streamGrace):
			err = errors.New("nobody reads it")
		}
	}
	if err != nil {
		return cannotWrite(s.path, err)
	}
	return nil
}

// send may have to wait for a reader.
func (s *stream) send() error {
	if f, ok := standard(s.path); ok {
		_, err := f.Write(s.best)
		return err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(s.best)
	return errors.Join(err, f.Close())
}

// standard gives the open file behind /dev/stdout and /dev/stderr, which may be
// a file that is appended to.
func standard(path string) (f *os.File, ok bool) {
	switch path {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout, true
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr, true
	}
	return nil, false
}
