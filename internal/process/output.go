package process

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"whittle/oracle"
)

// pipeLimit exceeds the capacity of a pipe (fs.pipe-max-size).
const pipeLimit = 1 << 20

// An Output reads the output of a running test.
type Output struct {
	pipe   *os.File // our end
	Theirs *os.File
	ended  chan struct{}
	dead   bool // used by Read only
	left   int  // bytes that a dead test may have left
}

// ReadOutput starts copying the output written to Theirs to a writer, which must not fail.
func ReadOutput(to io.Writer) (*Output, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, oracle.Errorf("cannot make a pipe for the output of the test: %w", err)
	}
	o := &Output{pipe: r, Theirs: w, ended: make(chan struct{}), left: pipeLimit}
	go func() {
		io.Copy(to, o)
		close(o.ended)
	}()
	return o, nil
}

// Read returns the output printed before the death of the test, even if an escaped process holds
// the pipe open.
func (o *Output) Read(p []byte) (n int, err error) {
	if !o.dead {
		if n, err = o.pipe.Read(p); !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		o.dead = true
		o.pipe.SetReadDeadline(time.Time{})
	}
	raw, err := o.pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	p = p[:min(len(p), o.left)]
	raw.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), p)
		return true // no waiting
	})
	if n <= 0 {
		return 0, io.EOF
	}
	o.left -= n
	return n, nil
}

// Close, after the death of the test, returns when the output is copied.
func (o *Output) Close() {
	o.Theirs.Close()
	o.pipe.SetReadDeadline(time.Now())
	<-o.ended
	o.pipe.Close()
}
