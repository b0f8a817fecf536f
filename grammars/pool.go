package grammars

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"whittle/parse/treesitter"
)

const childArgument = "parse-for-whittle"

// childrenWork is true after ServeChild.
var childrenWork atomic.Bool

// ServeChild makes crash-safe parsing possible. Call it first in main:
//
//	func main() {
//		grammars.ServeChild()
//		…
//	}
//
// A [Pool] starts this program again as its parser children, in which ServeChild does not return.
// Without this call, pools parse in the calling process, where a crash in a tree-sitter grammar, which
// is C code, ends the program.
func ServeChild() {
	childrenWork.Store(true)
	if len(os.Args) != 2 || os.Args[1] != childArgument {
		return
	}
	err := treesitter.Serve(os.Stdin, os.Stdout, func(name string) *treesitter.Language {
		l, _ := Find(name)
		return l.Language.(*treesitter.Language)
	})
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// A Pool parses like the whittle command, with tree-sitter parsers in child processes that start on
// demand; see [ServeChild]. It is safe for concurrent use.
type Pool struct {
	children    *treesitter.Pool
	environment []string // of the children
	mu          sync.Mutex
	reaper      Reaper
}

// A Reaper kills the processes that tests leave behind. It must not kill the children of a Pool.
type Reaper interface {
	// Help calls start, which starts a child, and protects that process until Release.
	Help(start func() (pid int, err error)) error
	// Release ends the protection, before the child is reaped and the ID becomes free.
	Release(pid int)
}

// Default returns a Pool with at most one child per processor.
func Default() *Pool { return NewPool(runtime.NumCPU()) }

// NewPool returns a Pool with at most so many children, and at most one per processor.
func NewPool(children int) *Pool {
	p := &Pool{environment: []string{}}
	p.children = treesitter.NewPool(min(children, runtime.NumCPU()), p.start)
	return p
}

// Close ends all children. Later parses by tree-sitter are refused.
func (p *Pool) Close() { p.children.Close() }

// Spare protects the children from a Reaper.
func (p *Pool) Spare(from Reaper) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reaper = from
}

// Read returns the language of a file, by its name and content, or structure if that refuses the file.
//
//	pool := grammars.Default()
//	defer pool.Close()
//	file := pool.Read("small.c", content)
//	whittle.Reduce(ctx, whittle.Options{Input: content, Language: file, Rewrites: file.Rewrites(), …})
func (p *Pool) Read(name string, content []byte) *Reading {
	return p.ReadAs(ForContent(name, content), name, content, func(string) {})
}

// ReadAs is like Read for a given language. It reports a refusal to warn.
func (p *Pool) ReadAs(l Language, name string, content []byte, warn func(string)) *Reading {
	return NewReading(p.in(l), name, content, warn)
}

func (p *Pool) in(l Language) Language {
	if t, ok := l.Language.(*treesitter.Language); ok && childrenWork.Load() {
		l.Language = t.In(p.children, l.Name)
	}
	return l
}

// start runs this program as a parser child. Its process group gets no signals from the terminal. Its empty environment
// does not mark it as a process of a test.
func (p *Pool) start() (io.ReadWriteCloser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	program, err := thisProgram()
	if err != nil {
		return nil, err
	}
	c := &child{reaper: p.reaper, command: &exec.Cmd{
		Path: program, Args: []string{os.Args[0], childArgument}, Env: p.environment, Dir: "/",
		SysProcAttr: childAttributes(),
	}}
	var to *os.File
	if c.stdin, to, err = os.Pipe(); err != nil {
		return nil, err
	}
	c.command.Stdin, c.WriteCloser = c.stdin, to
	if c.Reader, err = c.command.StdoutPipe(); err == nil {
		err = c.start()
	}
	if err != nil {
		c.stdin.Close()
		to.Close()
		return nil, err
	}
	return c, nil
}

type child struct {
	io.WriteCloser
	io.Reader
	command *exec.Cmd
	stdin   *os.File // the child's end, also open here, so that writing to a dead child causes no SIGPIPE
	reaper  Reaper   // or nil
}

func (c *child) start() error {
	if c.reaper == nil {
		return c.command.Start()
	}
	return c.reaper.Help(func() (int, error) {
		if err := c.command.Start(); err != nil {
			return 0, err
		}
		return c.command.Process.Pid, nil
	})
}

// Close ends the child. The error says how a dead child had ended.
func (c *child) Close() error {
	c.command.Process.Kill()
	c.WriteCloser.Close()
	c.stdin.Close()
	if c.reaper != nil {
		c.reaper.Release(c.command.Process.Pid)
	}
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
