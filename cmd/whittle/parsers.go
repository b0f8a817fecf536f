package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"whittle/grammars"
	"whittle/oracle/local"
	"whittle/parse/treesitter"
)

// parserArgument makes whittle one of the children that parse for it.
const parserArgument = "parse-for-whittle"

func isParser(args []string) bool { return len(args) == 2 && args[1] == parserArgument }

// serveParser parses until stdin ends, and gives the exit code.
func serveParser() int {
	err := treesitter.Serve(os.Stdin, os.Stdout, func(name string) *treesitter.Language {
		l, _ := grammars.Find(name)
		return l.Language.(*treesitter.Language)
	})
	if err != nil {
		return exitEnvironment
	}
	return 0
}

// parsers are the children that parse. They start when they are needed.
type parsers struct {
	*treesitter.Pool
	mu        sync.Mutex
	processes *local.Reaper // that are to leave them alone
}

func newParsers(jobs int) *parsers {
	p := &parsers{}
	p.Pool = treesitter.NewPool(min(jobs, runtime.NumCPU()), p.start)
	return p
}

// known has the processes of tests told from the children.
func (p *parsers) known(to *local.Reaper) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.processes = to
}

// start starts a child: this program, in a process group of its own, so that no
// signal from the terminal reaches it, and without the environment of tests.
func (p *parsers) start() (io.ReadWriteCloser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	program, err := thisProgram()
	if err != nil {
		return nil, err
	}
	c := &exec.Cmd{Path: program, Args: []string{os.Args[0], parserArgument}, Env: []string{}, Dir: "/", SysProcAttr: parserAttributes()}
	unread, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Stdin = unread
	from, err := c.StdoutPipe()
	if err == nil {
		err = p.processes.Help(func() (int, error) {
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
	return &parser{to, from, c, unread, p.processes}, nil
}

// parser is a child, and the connection to it.
type parser struct {
	io.WriteCloser
	io.Reader
	command   *exec.Cmd
	unread    *os.File // the other end of the pipe to it: if it dies, no SIGPIPE comes
	processes *local.Reaper
}

// Close ends the child. The error says how it has ended, if it had done so by
// itself.
func (p *parser) Close() error {
	p.command.Process.Kill()
	p.WriteCloser.Close()
	p.unread.Close()
	p.processes.Release(p.command.Process.Pid)
	err := p.command.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return errors.Join(errors.New("it ended"), err)
	}
	if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() && s.Signal() == syscall.SIGXCPU {
		return treesitter.ErrTooLong
	}
	return exit
}
