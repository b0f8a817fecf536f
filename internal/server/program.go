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

	"whittle/internal/environment"
	"whittle/internal/process"
	"whittle/oracle"
)

// lineLimit is the longest line that is read from a server at once.
const lineLimit = 4096

// pipeGrace is how long to wait for what should be in a pipe at once, or be read
// from it.
const pipeGrace = 250 * time.Millisecond

// deathGrace is how long a server that has closed its output may need to die.
const deathGrace = 2 * time.Second

// A program is a running test server: it leads a process group and has a
// directory for all its files, those of candidates too.
type program struct {
	group   *process.Group
	dir     string
	tmp     string // for temporary files; in the environment of all that it starts
	began   time.Time
	answers int

	paths  *os.File        // its standard input
	unread *os.File        // the other end: with it open, writing to a dead server is no broken pipe
	stdout *os.File        // our end
	lines  chan line       // read from it, closed at its end
	stderr *process.Output // read into said
	said   process.Tail
	quit   chan bool          // closed when nobody wants lines any more
	dead   chan bool          // closed when it and all that it started are dead
	status syscall.WaitStatus // once it is dead
	cause  string             // how it ended, once it is dead
}

// A line is what a server wrote up to the end of a line, and what was there
// behind it already.
type line struct{ text, more string }

// startProgram starts a server.
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
		return nil, environment.Errorf("cannot make a temporary directory for the test server: %w%s",
			err, environment.Advice(err))
	}
	if p.unread, p.paths, err = os.Pipe(); err != nil {
		return nil, environment.Errorf("cannot make a pipe to the test server: %w", err)
	}
	var theirs *os.File
	if p.stdout, theirs, err = os.Pipe(); err != nil {
		return nil, environment.Errorf("cannot make a pipe from the test server: %w", err)
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

// read sends the lines of the server's output.
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

// wait waits until the server has ended, and kills what it left.
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
	p.stdout.SetReadDeadline(time.Now().Add(pipeGrace)) // a process that escaped may hold it open
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

// send returns the server the path of a candidate. To a server that is dead, or
// does not read, it does nothing.
func (p *program) send(path string) {
	p.paths.SetWriteDeadline(time.Now().Add(pipeGrace))
	p.paths.WriteString(path + "\n")
}

// stray returns what the server wrote though it was asked nothing.
func (p *program) stray() (text string, ok bool) {
	select {
	case l, ok := <-p.lines:
		return l.text, ok
	default:
		return "", false
	}
}

// silence says why the server's output has come to its end.
func (p *program) silence() string {
	select {
	case <-p.dead:
		return p.cause
	case <-time.After(deathGrace):
		return "it closed its standard output"
	}
}

// end tells the server that no more paths come, and kills it if it still runs
// when the grace is over.
func (p *program) end(grace <-chan struct{}) error {
	p.paths.Close()
	select {
	case <-p.dead:
	case <-grace:
	}
	return p.kill()
}

// stop kills the server and all that it started.
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

// close closes what is open on our side. Who reads there comes to an end.
func (p *program) close() {
	close(p.quit)
	p.paths.Close()
	p.unread.Close()
	p.stdout.Close()
}

// shown makes text from a server fit for a message.
func shown(text string) string {
	const limit = 100
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(text, "\uFFFD"))
}
