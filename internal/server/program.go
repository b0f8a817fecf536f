package server

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"whittle/internal/process"
	"whittle/oracle"
)

// lineLimit is the size of the buffer for lines of a server.
const lineLimit = 4096

// pipeGrace is the time limit for reading and writing pipes that should not block.
const pipeGrace = 250 * time.Millisecond

// deathGrace is the time that a server has to die after it closed its output.
const deathGrace = 2 * time.Second

// A program is a running server. It leads a process group and has a directory for all its files
// and candidates.
type program struct {
	group   *process.Group
	dir     string
	tmp     string // for temporary files; in the environment of all its processes
	began   time.Time
	answers int

	paths  *os.File        // its standard input
	unread *os.File        // other end, open so that writing to a dead server causes no SIGPIPE
	stdout *os.File        // our end
	lines  chan line       // read from stdout, closed at its end
	stderr *process.Output // read into said
	said   process.Tail
	quit   chan bool          // closed when lines are not read any more
	dead   chan bool          // closed when all its processes are dead
	status syscall.WaitStatus // valid once it is dead
	cause  string             // how it ended, valid once it is dead
}

// A line is a line of output, and the text after it that has arrived already.
type line struct{ text, more string }

func startProgram(ctx context.Context, o Options, spec *oracle.Spec) (_ *program, err error) {
	dir, err := process.MakeDirectory(o.Work)
	if err != nil {
		return nil, err
	}
	p := &program{
		dir: dir, tmp: filepath.Join(dir, "tmp"), said: process.Tail{Limit: process.OutputLimit}, began: time.Now(),
		lines: make(chan line), quit: make(chan bool), dead: make(chan bool),
	}
	defer func() {
		if err != nil {
			p.close()
			process.RemoveDirectory(dir)
		}
	}()
	if err := os.Mkdir(p.tmp, 0o700); err != nil {
		return nil, oracle.Errorf("cannot make a temporary directory for the test server: %w%s",
			err, process.Advice(err))
	}
	if p.unread, p.paths, err = os.Pipe(); err != nil {
		return nil, oracle.Errorf("cannot make a pipe to the test server: %w", err)
	}
	var theirs *os.File
	if p.stdout, theirs, err = os.Pipe(); err != nil {
		return nil, oracle.Errorf("cannot make a pipe from the test server: %w", err)
	}
	defer theirs.Close()
	if p.stderr, err = process.ReadOutput(nil, nil, &p.said); err != nil {
		return nil, err
	}
	p.group, err = o.Reaper.Start(ctx, spec.Argv, &syscall.ProcAttr{
		Dir:   spec.Home,
		Env:   process.Environment(spec.Env, spec.Home, p.tmp, spec.Home),
		Files: []uintptr{p.unread.Fd(), theirs.Fd(), p.stderr.Theirs.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	}, o.Launch)
	if err != nil {
		p.stderr.Close()
		return nil, err
	}
	go p.read()
	go p.wait()
	return p, nil
}

// read sends the lines of the output.
func (p *program) read() {
	defer close(p.lines)
	for r := bufio.NewReaderSize(p.stdout, lineLimit); ; {
		text, _, err := r.ReadLine()
		if err != nil {
			return
		}
		l := line{text: string(text)}
		if n := r.Buffered(); n > 0 {
			more, _ := r.Peek(n)
			l.more = string(more)
		}
		select {
		case p.lines <- l:
		case <-p.quit:
			return
		}
	}
}

// wait waits for the end of the server, and kills the processes that it left.
func (p *program) wait() {
	defer close(p.dead)
	e, err := p.group.Wait(p.tmp)
	p.status = e.WaitStatus
	switch {
	case err != nil:
		p.cause = "it cannot be waited for: " + err.Error()
	case p.status.Signaled():
		p.cause = "it was ended by a signal: " + p.status.Signal().String()
	default:
		p.cause = fmt.Sprintf("it ended with exit code %d", p.status.ExitStatus())
	}
	p.stderr.Close()
	p.stdout.SetReadDeadline(time.Now().Add(pipeGrace)) // an escaped process may hold it open
}

// ended reports whether the server is dead.
func (p *program) ended() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// send writes the path of a candidate. It ignores a server that is dead or does not read.
func (p *program) send(path string) {
	p.paths.SetWriteDeadline(time.Now().Add(pipeGrace))
	p.paths.WriteString(path + "\n")
}

// stray returns output that the server wrote without a question.
func (p *program) stray() (text string, ok bool) {
	select {
	case l, ok := <-p.lines:
		return l.text, ok
	default:
		return "", false
	}
}

// silence explains why the output of the server has ended.
func (p *program) silence() string {
	select {
	case <-p.dead:
		return p.cause
	case <-time.After(deathGrace):
		return "it closed its standard output"
	}
}

// end closes the server's standard input, and kills the server if it still runs after the grace.
func (p *program) end(grace <-chan struct{}) error {
	p.paths.Close()
	select {
	case <-p.dead:
	case <-grace:
	}
	return p.kill()
}

// stop kills the server and its descendants.
func (p *program) stop() {
	p.group.Kill()
	<-p.dead
}

// kill stops the server and removes its directory.
func (p *program) kill() error {
	p.stop()
	p.close()
	return process.RemoveDirectory(p.dir)
}

// close closes our ends of the pipes, which ends their readers.
func (p *program) close() {
	close(p.quit)
	p.paths.Close()
	p.unread.Close()
	p.stdout.Close()
}

// shown makes text of a server fit for a message.
func shown(text string) string {
	const limit = 100
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(text, "\uFFFD"))
}
