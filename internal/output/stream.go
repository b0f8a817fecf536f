package output

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// streamGrace is how long an interrupted whittle waits for a reader of its
// output.
const streamGrace = 2 * time.Second

// stream is a device or a pipe: written to once, at the end.
type stream struct {
	path string
	best []byte
}

// claim finds out whether there is a standard output at all.
func (s *stream) claim() error {
	if _, err := standard(s.path); err != nil {
		return cannotWrite(s.path, err)
	}
	return nil
}

// release has nothing to give up.
func (s *stream) release() {}

// disown has nothing to keep.
func (s *stream) disown() {}

// takeUp returns nothing, as what was written is gone.
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
	if f, err := standard(s.path); f != nil || err != nil {
		if err == nil {
			_, err = f.Write(s.best)
		}
		return err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(s.best)
	return errors.Join(err, f.Close())
}

// Create makes the file at path anew, or opens it to be written to if it is a
// standard output or a device.
func Create(path string) (io.WriteCloser, error) {
	if f, err := standard(path); f != nil || err != nil {
		return unclosed{f}, err
	}
	return os.Create(path)
}

// unclosed is a file that others still write to.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// standard returns the open file behind -, /dev/stdout and /dev/stderr, which may be
// a file that is appended to; nil for every other path. The error says that there
// is none behind it.
func standard(path string) (*os.File, error) {
	f := os.Stdout
	switch path {
	case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		f = os.Stderr
	default:
		return nil, nil
	}
	if closed(f) {
		return nil, errors.New("it is closed")
	}
	return f, nil
}

// isStandard reports whether path is that of a standard output.
func isStandard(path string) bool {
	f, err := standard(path)
	return f != nil || err != nil
}

// closed reports whether a standard output was closed when whittle was started.
// In its place Go's runtime opens the null device, for reading and writing, which
// nobody else does to throw away what is written.
func closed(f *os.File) bool {
	info, err := f.Stat()
	null, errNull := os.Stat(os.DevNull)
	if err != nil || errNull != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
