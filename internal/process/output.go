package process

import (
	"bufio"
	"errors"
	"io"
	"os"
	"regexp"
	"syscall"
	"time"

	"whittle/oracle"
)

// OutputLimit bounds the kept output, in bytes: enough for a stack trace of the JVM and the error
// message before it.
const OutputLimit = 256 << 10

// pipeLimit exceeds the capacity of a pipe (fs.pipe-max-size).
const pipeLimit = 1 << 20

// An Output reads the output of a running test in bounded memory, without the escape sequences of
// terminals.
type Output struct {
	pipe    *os.File // our end
	Theirs  *os.File
	matched chan bool // once, at the end
	dead    bool      // used by Read only
	left    int       // bytes that a dead test may have left
	plain   plainReader
}

// ReadOutput starts reading the output written to Theirs. It searches for pattern and copies the
// output to writers, which must not fail. Only raw gets the escape sequences. Both may be nil.
func ReadOutput(pattern *regexp.Regexp, raw io.Writer, to ...io.Writer) (*Output, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, oracle.Errorf("cannot make a pipe for the output of the test: %w", err)
	}
	o := &Output{pipe: r, Theirs: w, matched: make(chan bool, 1), left: pipeLimit}
	o.plain.from = o
	if raw != nil {
		o.plain.from = io.TeeReader(o, raw)
	}
	go func() {
		var all io.Reader = &o.plain
		if len(to) > 0 {
			all = io.TeeReader(all, io.MultiWriter(to...))
		}
		matched := pattern != nil && pattern.MatchReader(bufio.NewReader(all))
		io.Copy(io.Discard, all)
		o.matched <- matched
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

// Stripped reports, after Close, whether there were escape sequences.
func (o *Output) Stripped() bool { return o.plain.found }

// Close, after the death of the test, reports whether the pattern was found.
func (o *Output) Close() (matched bool) {
	o.Theirs.Close()
	o.pipe.SetReadDeadline(time.Now())
	matched = <-o.matched
	o.pipe.Close()
	return matched
}
