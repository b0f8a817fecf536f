package propose

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"whittle/internal/process"
	"whittle/internal/shell"
	"whittle/oracle"
)

// A program is a running command, in a directory with the file.
type program struct {
	*proposer
	dir, path string
	group     *process.Group
	stdin     *os.File
	stdout    *os.File // our end
	reader    *bufio.Reader
	stderr    *process.Output // read into said
	said      process.Tail
	ended     chan struct{} // closed when status is valid
	status    syscall.WaitStatus
	release   func() bool
}

// start starts the command. A {} in it is the path of the file.
func (p *proposer) start(file []byte) (source, error) {
	g := &program{proposer: p, said: process.Tail{Limit: 1 << 10}, ended: make(chan struct{})}
	if err := g.launch(file); err != nil {
		return nil, err
	}
	if p.lines {
		l := &lines{program: g}
		go l.tell(file, true)
		return l, nil
	}
	defer g.stop()
	go func() {
		g.stdin.Write(file)
		g.stdin.Close()
	}()
	output, err := g.all(file)
	if err != nil {
		return nil, err
	}
	return &list{proposals: proposals(file, output)}, nil
}

func (g *program) launch(file []byte) (err error) {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if g.dir, err = process.MakeDirectory(g.Work); err != nil {
		return err
	}
	tmp := filepath.Join(g.dir, "tmp")
	g.path = filepath.Join(g.dir, g.Name)
	if err = errors.Join(os.Mkdir(tmp, 0o700), os.WriteFile(g.path, file, 0o600)); err != nil {
		process.RemoveDirectory(g.dir)
		return err
	}
	theirs, stdin, errIn := os.Pipe()
	stdout, ours, errOut := os.Pipe()
	stderr, errErr := process.ReadOutput(&process.Plain{To: &g.said})
	if err := errors.Join(errIn, errOut, errErr); err != nil {
		return err
	}
	defer theirs.Close()
	defer ours.Close()
	g.stdin, g.stdout, g.reader, g.stderr = stdin, stdout, bufio.NewReader(stdout), stderr
	script := strings.ReplaceAll(g.command, oracle.Placeholder, shell.Quote(g.path))
	g.group, err = g.Reaper.Start(g.ctx, []string{"/bin/sh", "-c", script}, &syscall.ProcAttr{
		Dir: here, Env: append(process.Environment(nil, here, tmp, here), "SHRINKRAY_REDUCER_PARALLELISM=1"),
		Files: []uintptr{theirs.Fd(), ours.Fd(), stderr.Theirs.Fd()}, Sys: &syscall.SysProcAttr{Setpgid: true},
	}, g.Launch)
	if err != nil {
		close(g.ended)
		g.close()
		return err
	}
	g.release = context.AfterFunc(g.ctx, g.group.Kill)
	go func() {
		end, _ := g.group.Wait(tmp)
		g.status = end.WaitStatus
		close(g.ended)
	}()
	return nil
}

// stop ends the program and removes its files.
func (g *program) stop() {
	g.release()
	g.group.Kill()
	<-g.ended
	g.close()
}

func (g *program) close() {
	g.stdin.Close()
	g.stdout.Close()
	g.stderr.Close()
	process.RemoveDirectory(g.dir)
}

// errSilent means that a program is not asked again.
var errSilent = errors.New("it gave no answer")

// failure explains a failed read, and returns io.EOF if the program ended well.
func (g *program) failure(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w within %v", errSilent, g.Timeout)
	}
	select {
	case <-g.ended:
	case <-time.After(time.Second): // it closed its output
		return io.EOF
	}
	g.stderr.Close()
	said := strings.TrimSpace(string(g.said.Bytes()))
	if at := strings.LastIndexByte(said, '\n'); at >= 0 {
		said = said[at+1:]
	}
	if said != "" {
		said = ": " + said
	}
	switch {
	case g.status.Signaled():
		return fmt.Errorf("it was ended by a signal: %v%s", g.status.Signal(), said)
	case g.status.ExitStatus() != 0:
		return fmt.Errorf("it ended with exit code %d%s", g.status.ExitStatus(), said)
	}
	return io.EOF
}

// all returns the whole output, or the file if the program changed that instead.
func (g *program) all(file []byte) ([]byte, error) {
	g.stdout.SetReadDeadline(time.Now().Add(g.Timeout))
	output, err := io.ReadAll(io.LimitReader(g.reader, limit(file)))
	if err == nil && int64(len(output)) == limit(file) {
		return nil, fmt.Errorf("it wrote more than %d bytes", limit(file))
	}
	if err = g.failure(err); err != io.EOF {
		return nil, err
	}
	if len(output) > 0 || !strings.Contains(g.command, oracle.Placeholder) {
		return output, nil
	}
	return os.ReadFile(g.path)
}

// A list is the output of a filter.
type list struct{ proposals []func() []byte }

func (l *list) next(func([]byte) bool) ([]byte, error) {
	if len(l.proposals) == 0 {
		return nil, io.EOF
	}
	next := l.proposals[0]
	l.proposals = l.proposals[1:]
	return next(), nil
}

func (l *list) stop() {}

// lines is a program that speaks the protocol of Shrink Ray's external reducers: messages as JSON, one a line, with
// contents in base64. It gets the file and then the outcomes of its queries, and continues with interesting ones that
// are smaller. See shrinkray/reducers/protocol.py in https://github.com/DRMacIver/shrinkray.
//
//	-> {"content": "aW50IGE7", "interesting": true}   the file, or the outcome of a query
//	<- {"content": "aW50"}                            a query
//	<- {"idle": true}                                 no more queries about this file
type lines struct {
	*program
	open []byte // without an outcome; nil if there is none
}

type message struct {
	Content     []byte `json:"content"`
	Interesting bool   `json:"interesting"`
	Idle        bool   `json:"idle"`
}

func (l *lines) tell(file []byte, interesting bool) {
	l.stdin.SetWriteDeadline(time.Now().Add(l.Timeout))
	fmt.Fprintf(l.stdin, `{"content": "%s", "interesting": %v}`+"\n", base64.StdEncoding.EncodeToString(file), interesting)
}

func (l *lines) next(interesting func([]byte) bool) ([]byte, error) {
	if l.open != nil {
		l.tell(l.open, interesting(l.open))
		l.open = nil
	}
	l.stdout.SetReadDeadline(time.Now().Add(l.Timeout))
	for range mostUseless {
		line, err := l.line()
		if err != nil {
			return nil, err
		}
		m := message{}
		switch err := json.Unmarshal(line, &m); {
		case err == nil && m.Idle:
			return nil, io.EOF
		case err == nil && m.Content != nil: // the program waits for the outcome of an empty file, too
			l.open = m.Content
			return m.Content, nil
		}
	}
	return nil, fmt.Errorf("%w: %d lines are no messages", errSilent, mostUseless)
}

// line reads a line of a limited length.
func (l *lines) line() (line []byte, err error) {
	for {
		part, err := l.reader.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil || err == io.EOF && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, l.failure(err)
		case len(line) > 64<<20:
			return nil, fmt.Errorf("%w: it wrote a line of more than 64 MB", errSilent)
		}
	}
}
