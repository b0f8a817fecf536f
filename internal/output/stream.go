package output

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A stream is a device or pipe, written once, at the end.
type stream struct {
	path string
	best []byte
}

func (s *stream) finish(ctx context.Context) error {
	written := make(chan error, 1)
	go func() { written <- s.send() }()
	err := errors.New("it has no reader")
	select {
	case err = <-written:
	case <-ctx.Done():
	}
	if err != nil {
		return cannotWrite(s.path, err)
	}
	return nil
}

// send writes the file and may wait for a reader.
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

// Create creates or truncates a file, or opens a stream or device.
func Create(path string) (io.WriteCloser, error) {
	if f, err := standard(path); f != nil || err != nil {
		return unclosed{f}, err
	}
	return os.Create(path)
}

// unclosed ignores Close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// standard returns the open file of -, /dev/stdout and /dev/stderr, else nil. Opening them anew
// would truncate a file that a shell appends to.
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

func isStandard(path string) bool {
	f, err := standard(path)
	return f != nil || err != nil
}

// closed reports whether a standard stream was closed at the start. The Go runtime then opens the null
// device for reading and writing, as no shell does.
func closed(f *os.File) bool {
	info, err := f.Stat()
	null, errNull := os.Stat(os.DevNull)
	if err != nil || errNull != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
