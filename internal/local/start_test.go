package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

func TestNoShebang(t *testing.T) {
	tests := []struct {
		name, program string
		outcome       algo.Outcome
		output        string
	}{
		{"script", "echo \"$0\" $#\nexit 3\n", algo.Uninteresting, "PATH 0\n"},
		{"empty", "", algo.Interesting, ""},
		{"empty interpreter", "#!\necho ok\n", algo.Interesting, "ok\n"},
		{"late NUL", "echo ok\nexit\n" + strings.Repeat("#", 512) + "\x00", algo.Interesting, "ok\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCommand(t, tt.program)
			run := explain(t, c, "")
			want := strings.ReplaceAll(tt.output, "PATH", c.Argv[0])
			if run.Outcome != tt.outcome || string(run.Output) != want {
				t.Errorf("%v, output %q, want %v, %q", run.Outcome, run.Output, tt.outcome, want)
			}
		})
	}
}

func TestEnvironmentErrors(t *testing.T) {
	tests := []struct {
		name, program string
		change        func(c *command)
		cause         error    // nil means any
		message       []string // parts
	}{
		{"missing interpreter", "#! /no/such/python3 -u\n", nil, fs.ErrNotExist, []string{"/no/such/python3", "interpreter"}},
		{"missing interpreter, CR LF", "#!/bin/sh\r\n", nil, fs.ErrNotExist, []string{`/bin/sh\r`, "CR LF"}},
		{"interpreter is no program", "#!/etc/passwd\n", nil, syscall.EACCES, []string{`"/etc/passwd"`}},
		{"empty program", "", func(c *command) { c.Argv = nil }, nil, []string{"not absolute"}},
		{"binary", "\x00\x01\x02", nil, syscall.ENOEXEC, []string{"neither a program"}},
		{"missing program", "", func(c *command) { c.Argv[0] += ".gone" }, fs.ErrNotExist, []string{".gone"}},
		{"not executable", "#!/bin/sh\n", func(c *command) { os.Chmod(c.Argv[0], 0o644) },
			fs.ErrPermission, []string{"chmod +x"}},
		{"a directory", "", func(c *command) { c.Argv[0] = c.Work }, fs.ErrPermission, []string{"is a directory"}},
		{"relative path", "", func(c *command) { c.Argv[0] = "a.sh" }, nil, []string{"not absolute"}},
		{"no name", "", func(c *command) { c.Name = "" }, nil, []string{"base name"}},
		{"name with slash", "", func(c *command) { c.Name = "../a.c" }, nil, []string{"base name", "../a.c"}},
		{"name is dot dot", "", func(c *command) { c.Name = ".." }, nil, []string{"base name"}},
		{"name too long", "", func(c *command) { c.Name = strings.Repeat("x", 300) },
			syscall.ENAMETOOLONG, []string{"cannot write the candidate"}},
		{"work below a file", "", func(c *command) { c.Work = c.Argv[0] + "/x" },
			syscall.ENOTDIR, []string{"cannot make a directory", "set TMPDIR"}},
		{"work missing", "", func(c *command) { c.Work += "/x" },
			fs.ErrNotExist, []string{"cannot make a directory", "set TMPDIR"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCommand(t, tt.program)
			if tt.change != nil {
				tt.change(c)
			}
			_, err := c.Ask(context.Background(), nil)
			var env *oracle.EnvironmentError
			if !errors.As(err, &env) {
				t.Fatalf("error %T: %v", err, err)
			}
			t.Log(err)
			if tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("the error %v does not wrap %v", err, tt.cause)
			}
			for _, part := range tt.message {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error %v does not mention %s", err, part)
				}
			}
			if run, err := c.Explain(context.Background(), nil); !errors.As(err, &env) || run.Output != nil {
				t.Errorf("Explain: %+v, error %v", run, err)
			}
		})
	}
}

func TestProgramBusy(t *testing.T) {
	t.Parallel()
	c := newScript(t, "exit 0")
	f, err := os.OpenFile(c.Argv[0], os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() { f.Close() })
	if outcome, err := c.Ask(context.Background(), nil); outcome != algo.Interesting || err != nil {
		t.Errorf("%v, error %v", outcome, err)
	}
}
