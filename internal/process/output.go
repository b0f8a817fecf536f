package process

import (
	"bufio"
	"errors"
	"io"
	"os"
	"regexp"
	"syscall"
	"time"

	"whittle/internal/environment"
)

// OutputLimit is how many bytes of a test's output are kept: room for a stack of the JVM, or
// one of clang, with the line in front of it that says what failed.
const OutputLimit = 256 << 10

// pipeLimit is more than what a pipe can hold (fs.pipe-max-size).
const pipeLimit = 1 << 20

// An Output reads what a test prints, while it runs and in bounded memory. It takes the
// escape sequences of terminals out: colours are no part of a message.
type Output struct {
	pipe    *os.File // our end
	Theirs  *os.File
	matched chan bool // told once, at the end
	dead    bool      // the test is; used by Read only
	left    int       // what may still come from a dead test
	plain   plainReader
}

// ReadOutput begins to read what is written to theirs. It looks for pattern, if
// that is not nil, and copies all to some writers, which may fail at nothing. If raw is not
// nil, it gets the escape sequences of terminals, too.
func ReadOutput(pattern *regexp.Regexp, raw io.Writer, to ...io.Writer) (*Output, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, environment.Errorf("cannot make a pipe for the output of the test: %w", err)
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

// Read returns what the test prints, and once it is dead what it had printed: all
// of that, and no more, though a process that escaped may hold the pipe open.
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
		return true // does not wait for more
	})
	if n <= 0 {
		return 0, io.EOF
	}
	o.left -= n
	return n, nil
}

// Stripped reports, after Close, whether there were escape sequences.
func (o *Output) Stripped() bool { return o.plain.found }

// Close is called when the test is dead. It reports whether the pattern was found.
func (o *Output) Close() (matched bool) {
	o.Theirs.Close()
	o.pipe.SetReadDeadline(time.Now())
	matched = <-o.matched
	o.pipe.Close()
	return matched
}
