// Package parsers runs children of whittle that parse for it, so that a parser that
// breaks or takes for ever ends a child and not the run.
package parsers

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"whittle/grammars"
	"whittle/internal/local"
	"whittle/parse/treesitter"
)

// argument makes whittle one of the children.
const argument = "parse-for-whittle"

// IsChild reports whether a command line is that of a child.
func IsChild(args []string) bool { return len(args) == 2 && args[1] == argument }

// Serve parses until stdin ends.
func Serve() error {
	return treesitter.Serve(os.Stdin, os.Stdout, func(name string) *treesitter.Language {
		l, _ := grammars.Find(name)
		return l.Language.(*treesitter.Language)
	})
}

// A Pool is children that parse. They start when they are needed.
type Pool struct {
	*treesitter.Pool
	mu     sync.Mutex
	reaper *local.Reaper // that is to leave them alone
}

// NewPool returns the pool for so many tests at once.
func NewPool(jobs int) *Pool {
	p := &Pool{}
	p.Pool = treesitter.NewPool(min(jobs, runtime.NumCPU()), p.start)
	return p
}

// Spare has the reaper of tests leave the children alone.
func (p *Pool) Spare(from *local.Reaper) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reaper = from
}

// start starts a child: this program, in a process group of its own, so that no
// signal from the terminal reaches it, and without the environment of tests.
func (p *Pool) start() (io.ReadWriteCloser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	program, err := thisProgram()
	if err != nil {
		return nil, err
	}
	c := &exec.Cmd{
		Path: program, Args: []string{os.Args[0], argument}, Env: []string{}, Dir: "/", SysProcAttr: attributes(),
	}
	unread, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stdin = unread
	from, err := c.StdoutPipe()
	if err == nil {
		err = p.reaper.Help(func() (int, error) {
			if err := c.Start(); err != nil {
				return 0, err
			}
			return c.Process.Pid, nil
		})
	}
	if err != nil {
		unread.Close()
		to.Close()
		return nil, err
	}
	return &child{to, from, c, unread, p.reaper}, nil
}

// A child is a process that parses, and the connection to it.
type child struct {
	io.WriteCloser
	io.Reader
	command *exec.Cmd
	unread  *os.File // the other end of the pipe to it: if it dies, no SIGPIPE comes
	reaper  *local.Reaper
}

// Close ends the child. The error says how it has ended, if it had done so by
// itself.
func (c *child) Close() error {
	c.command.Process.Kill()
	c.WriteCloser.Close()
	c.unread.Close()
	c.reaper.Release(c.command.Process.Pid)
	err := c.command.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return errors.Join(errors.New("it ended"), err)
	}
	if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		switch s.Signal() {
		case syscall.SIGXCPU:
			return treesitter.ErrTooLong
		case syscall.SIGKILL:
			return treesitter.ErrKilled
		}
	}
	return exit
}
