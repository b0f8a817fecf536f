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

const lineLimit = 4096

// pipeGrace is the time limit for pipes that should not block.
const pipeGrace = 250 * time.Millisecond

// deathGrace is the time to die after output is closed.
const deathGrace = 2 * time.Second

// A program is a running server: a process group and a directory for its files and candidates.
type program struct {
	group   *process.Group
	dir     string
	tmp     string // for temporary files; in its environment
	began   time.Time
	answers int

	paths  *os.File        // its standard input
	unread *os.File        // other end; prevents SIGPIPE
	stdout *os.File        // our end
	lines  chan line       // read from stdout, closed at its end
	stderr *process.Output // read into said
	said   process.Tail
	quit   chan bool          // closed to stop the reading
	dead   chan bool          // closed at its death
	status syscall.WaitStatus // valid once it is dead
	cause  string             // how it ended; likewise
}

// A line is a line of output, and the text that had arrived after it.
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
	if p.stderr, err = process.ReadOutput(&process.Plain{To: &p.said}); err != nil {
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
	p.stdout.SetReadDeadline(time.Now().Add(pipeGrace)) // an escaped process may hold it
}

func (p *program) ended() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// send writes the path of a candidate, even to a dead or deaf server.
func (p *program) send(path string) {
	p.paths.SetWriteDeadline(time.Now().Add(pipeGrace))
	p.paths.WriteString(path + "\n")
}

func (p *program) stray() (text string, ok bool) {
	select {
	case l, ok := <-p.lines:
		return l.text, ok
	default:
		return "", false
	}
}

func (p *program) silence() string {
	select {
	case <-p.dead:
		return p.cause
	case <-time.After(deathGrace):
		return "it closed its standard output"
	}
}

// end closes the server's standard input, and kills it after the grace.
func (p *program) end(grace <-chan struct{}) error {
	p.paths.Close()
	select {
	case <-p.dead:
	case <-grace:
	}
	return p.kill()
}

func (p *program) stop() {
	p.group.Kill()
	<-p.dead
}

func (p *program) kill() error {
	p.stop()
	p.close()
	return process.RemoveDirectory(p.dir)
}

// close closes our ends of the pipes, and so ends their readers.
func (p *program) close() {
	close(p.quit)
	p.paths.Close()
	p.unread.Close()
	p.stdout.Close()
}

func shown(text string) string {
	const limit = 100
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(text, "\uFFFD"))
}
