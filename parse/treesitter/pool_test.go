package treesitter_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"whittle/grammars"
	"whittle/internal/testkit/samples"
	"whittle/parse"
	"whittle/parse/treesitter"
)

// The test program is its own child.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "serve" {
		err := treesitter.Serve(os.Stdin, os.Stdout, func(name string) *treesitter.Language {
			l, _ := grammars.Find(name)
			return l.Language.(*treesitter.Language) // panics for others
		})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

type process struct {
	io.Writer
	io.Reader
	*exec.Cmd
}

func (p process) Close() error {
	p.Process.Kill()
	err := p.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		switch exit.Sys().(syscall.WaitStatus).Signal() {
		case syscall.SIGXCPU:
			return treesitter.ErrTooLong
		case syscall.SIGKILL:
			return treesitter.ErrKilled
		}
	}
	return err
}

// pool also returns the process IDs of the started children.
func pool(t testing.TB, children int) (*treesitter.Pool, func() []int) {
	var mu sync.Mutex
	var pids []int
	p := treesitter.NewPool(children, func() (io.ReadWriteCloser, error) {
		c := exec.Command(os.Args[0], "serve")
		to, _ := c.StdinPipe()
		from, _ := c.StdoutPipe()
		if err := c.Start(); err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		pids = append(pids, c.Process.Pid)
		return process{to, from, c}, nil
	})
	t.Cleanup(p.Close)
	return p, func() []int {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(pids)
	}
}

func treeSitter() (all []grammars.Language) {
	return slices.DeleteFunc(grammars.All(), func(l grammars.Language) bool { return l.FrontEnd != "tree-sitter" })
}

func TestPool(t *testing.T) {
	p, pids := pool(t, 2)
	var all sync.WaitGroup
	for _, l := range treeSitter() {
		all.Go(func() {
			files, err := samples.Of("../..", l.Name)
			if err != nil {
				t.Error(err)
			}
			here, there := l.Language, l.Language.(*treesitter.Language).In(p, l.Name)
			for _, f := range files {
				for _, text := range [][]byte{f.Text, f.Text[:len(f.Text)/2], nil} {
					want, err := here.Parse(text)
					got, gotErr := there.Parse(text)
					if err != nil || gotErr != nil {
						t.Errorf("%s: %q: %v, %v", l.Name, text, err, gotErr)
					} else if got.Errors != want.Errors || got.Indented != want.Indented ||
						!slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Tokens, want.Tokens) {
						t.Errorf("%s: %q is another tree in a child", l.Name, text)
					}
					if n := there.Errors(text); n != want.Errors {
						t.Errorf("%s: %q has %d errors in a child, %d here", l.Name, text, n, want.Errors)
					}
				}
			}
		})
	}
	all.Wait()
	if n := len(pids()); n < 1 || n > 2 {
		t.Errorf("%d children", n)
	}
}

func TestPoolRefuses(t *testing.T) {
	p, pids := pool(t, 1)
	l, _ := grammars.Find("markdown")
	there := l.Language.(*treesitter.Language).In(p, l.Name)
	deep := []byte(strings.Repeat("> ", 300) + "x\n")
	for range 3 {
		_, err := there.Parse(deep)
		if refusal := (*parse.Refusal)(nil); !errors.As(err, &refusal) || there.Errors(deep) != parse.Unreadable {
			t.Error(err)
		}
	}
	if n := there.Errors([]byte("# x\n")); n != 0 || len(pids()) != 1 {
		t.Errorf("%d errors, %d children", n, len(pids()))
	}
}

func TestPoolSurvives(t *testing.T) {
	p, pids := pool(t, 1)
	l, _ := grammars.Find("python")
	good := l.Language.(*treesitter.Language).In(p, "python")
	bad := l.Language.(*treesitter.Language).In(p, "none") // on which the child panics
	for range 3 {
		if n := good.Errors([]byte("x = 1\n")); n != 0 {
			t.Errorf("%d errors", n)
		}
		all := pids()
		syscall.Kill(all[len(all)-1], syscall.SIGKILL)
		if n := good.Errors([]byte("x = 2\n")); n != 0 {
			t.Errorf("%d errors once the child is killed", n)
		}
		_, err := bad.Parse([]byte("x = 3\n"))
		if refusal := (*parse.Refusal)(nil); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "exit status") {
			t.Error(err)
		}
		if n := bad.Errors([]byte("x = 3\n")); n != parse.Unreadable {
			t.Errorf("%d errors", n)
		}
	}
	p.Close()
	for _, pid := range pids() {
		if syscall.Kill(pid, 0) == nil {
			t.Error("a child is left")
		}
	}
	if n := good.Errors([]byte("x = 1\n")); n != parse.Unreadable {
		t.Errorf("%d errors once the pool is closed", n)
	}
}

// Tests may kill children.
func TestPoolSurvivesKills(t *testing.T) {
	started := 0
	p := treesitter.NewPool(1, func() (io.ReadWriteCloser, error) {
		c := exec.Command(os.Args[0], "serve")
		to, _ := c.StdinPipe()
		from, _ := c.StdoutPipe()
		if err := c.Start(); err != nil {
			return nil, err
		}
		if started++; started%10 != 0 {
			c.Process.Kill()
		}
		return process{to, from, c}, nil
	})
	t.Cleanup(p.Close)
	l, _ := grammars.Find("python")
	there := l.Language.(*treesitter.Language).In(p, "python")
	if n := there.Errors([]byte("x = 1\n")); n != 0 || started != 10 {
		t.Errorf("%d errors with %d children", n, started)
	}
}

// Merging stacks in tree-sitter may take exponential time.
func TestPoolEndsWhatDoesNotEnd(t *testing.T) {
	text, err := os.ReadFile("testdata/pipes.sh")
	if err != nil {
		t.Fatal(err)
	}
	p, pids := pool(t, 1)
	l, _ := grammars.Find("bash")
	there := l.Language.(*treesitter.Language).In(p, l.Name)
	if n := there.Errors(text); n != parse.Unreadable || len(pids()) != 1 {
		t.Errorf("%d errors, %d children", n, len(pids()))
	}
	if n := there.Errors([]byte("echo x | cat\n")); n != 0 || len(pids()) != 2 {
		t.Errorf("%d errors, %d children", n, len(pids()))
	}
}

func BenchmarkErrors(b *testing.B) {
	p, _ := pool(b, 2)
	for _, l := range treeSitter() {
		if l.Name != "python" && l.Name != "cpp" && l.Name != "c" {
			continue
		}
		files, err := samples.Of("../..", l.Name)
		if err != nil {
			b.Fatal(err)
		}
		here := l.Language.(*treesitter.Language)
		for _, size := range []int{100, 1000, 8000} {
			text := []byte(strings.Repeat(string(files[0].Text), 1+size/len(files[0].Text)))[:size]
			for name, l := range map[string]*treesitter.Language{"here": here, "child": here.In(p, l.Name)} {
				b.Run(fmt.Sprintf("%s/%d/%s", files[0].Name, size, name), func(b *testing.B) {
					for b.Loop() {
						l.Errors(text)
					}
				})
			}
		}
	}
}
