package peers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"whittle/internal/process"
	"whittle/internal/shell"
)

// A Case is an input and a test that says in its current directory whether the file of
// that name is interesting.
type Case struct {
	Name, ID    string // the ID changes with the input and the test
	Input, Test string // absolute paths
	Language    string
}

func (c Case) isC() bool { return c.Language == "c" || c.Language == "cpp" }

// grace is how long a peer that is told to stop may take for it.
const grace = 5 * time.Second

// A run is a peer at work in a directory of its own: the candidate in its in, the result
// in its out if it does not take the candidate's place, temporary files in its tmp.
type run struct {
	dir, name string
	jobs      int
	limit     time.Duration
}

// newRun makes the directory of a run.
func newRun(p Peer, c Case, jobs int, limit time.Duration) (*run, error) {
	dir, err := os.MkdirTemp("", "ddbench-")
	r := &run{dir: dir, name: filepath.Base(c.Input), jobs: jobs, limit: limit}
	for _, sub := range []string{"in", "out", "tmp"} {
		if err == nil {
			err = os.Mkdir(r.path(sub), 0o755)
		}
	}
	var input []byte
	if err == nil {
		input, err = os.ReadFile(c.Input)
	}
	if err == nil {
		err = os.WriteFile(r.path("in", r.name), input, 0o644)
	}
	if err == nil {
		err = os.WriteFile(r.path("test.sh"), []byte(r.script(p, c)), 0o755)
	}
	return r, err
}

func (r *run) path(parts ...string) string {
	return filepath.Join(append([]string{r.dir}, parts...)...)
}

// script returns the test that the peer is given: it adds a byte to a file, which no other
// does at the same time, and calls the case's test, where that finds the candidate.
func (r *run) script(p Peer, c Case) string {
	counted := fmt.Sprintf("#!/bin/sh\nprintf . >>%s\nexport WHITTLE_TEST_DIR=%s\n",
		shell.Quote(r.path("count")), shell.Quote(filepath.Dir(c.Test)))
	if !p.path {
		return counted + "exec " + shell.Quote(c.Test) + "\n"
	}
	return counted + fmt.Sprintf(`dir=$(mktemp -d %s) || exit 1
cp -- "$1" "$dir"/%s && cd "$dir" && %s
status=$?
rm -rf "$dir"
exit $status
`, shell.Quote(r.path("tmp", "XXXXXXXX")), shell.Quote(r.name), shell.Quote(c.Test))
}

// An end is how a peer ended.
type end struct {
	seconds  float64
	timedOut bool
	failed   string // how, and the last that it said; "" if it ended well or was stopped
}

// do runs a call to its end, or stops it after the limit. Nothing of it is left behind
// that keeps to its process group or its environment.
func (r *run) do(ctx context.Context, call []string) (e end, err error) {
	fill := strings.NewReplacer("{file}", r.name, "{ext}", filepath.Ext(r.name), "{test}", r.path("test.sh"),
		"{output}", r.path("out", r.name), "{outdir}", r.path("out"), "{jobs}", fmt.Sprint(r.jobs))
	words := make([]string, len(call))
	for i, word := range call {
		words[i] = fill.Replace(word)
	}
	log, err := os.Create(r.path("log"))
	if err != nil {
		return e, err
	}
	defer log.Close()
	limited, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	command := inGroup(limited, syscall.SIGTERM, words)
	mark := "DDBENCH_RUN=" + r.dir
	command.Dir, command.Stdout, command.Stderr = r.path("in"), log, log
	command.Env = append(os.Environ(), "TMPDIR="+r.path("tmp"), mark)
	command.WaitDelay = grace
	begun := time.Now()
	if err := command.Start(); err != nil {
		return e, err
	}
	err = command.Wait()
	e.seconds = math.Round(time.Since(begun).Seconds()*10) / 10
	syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	process.KillAllMarked(mark)
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	e.timedOut = limited.Err() != nil
	if err != nil && !e.timedOut {
		e.failed = err.Error()
		if last := r.lastSaid(); last != "" {
			e.failed += ": " + last
		}
	}
	return e, nil
}

// inGroup returns a command that leads a process group, all of which is sent a signal when
// ctx is done.
func inGroup(ctx context.Context, signal syscall.Signal, words []string) *exec.Cmd {
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, signal) }
	return command
}

// lastSaid returns the last line that the peer printed, not all of it if it is long.
func (r *run) lastSaid() string {
	log, _ := os.ReadFile(r.path("log"))
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	return strings.ToValidUTF8(fmt.Sprintf("%.200s", strings.TrimSpace(lines[len(lines)-1])), "?")
}

// tests returns how often the test was called.
func (r *run) tests() int {
	info, err := os.Stat(r.path("count"))
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// result returns what the peer has come to: what is in the output, else the candidate's
// file. One that was removed is empty.
func (r *run) result() ([]byte, error) {
	for _, path := range []string{r.path("out", r.name), r.path("in", r.name)} {
		file, err := os.ReadFile(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, nil
}

// remove removes the directory.
func (r *run) remove() error { return process.RemoveDirectory(r.dir) }
