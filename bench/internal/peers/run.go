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

// A Case is an input and a test. The test decides about the file with the name of the input in
// its current directory.
type Case struct {
	Name, ID    string // the ID depends on the content of the input and the test
	Input, Test string // absolute paths
	Language    string
}

func (c Case) isC() bool { return c.Language == "c" || c.Language == "cpp" }

// grace is the time between SIGTERM and SIGKILL for a peer.
const grace = 5 * time.Second

// A run is a run of a peer in a directory of its own: the candidate in "in", a separate result in
// "out", temporary files in "tmp".
type run struct {
	dir, name string
	jobs      int
	limit     time.Duration
}

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

// script returns the test for the peer. It appends a byte to a file, which is atomic, and calls
// the test of the case in the directory of the candidate. If the candidate is interesting, it
// prints that, for peers that look for a text.
func (r *run) script(p Peer, c Case) string {
	counted := fmt.Sprintf("#!/bin/sh\nprintf . >>%s\nexport WHITTLE_TEST_DIR=%s\n",
		shell.Quote(r.path("count")), shell.Quote(filepath.Dir(c.Test)))
	if !p.path {
		return counted + shell.Quote(c.Test) + " && echo interesting\n"
	}
	return counted + fmt.Sprintf(`dir=$(mktemp -d %s) || exit 1
cp -- "$1" "$dir"/%s && cd "$dir" && %s
status=$?
rm -rf "$dir"
exit $status
`, shell.Quote(r.path("tmp", "XXXXXXXX")), shell.Quote(r.name), shell.Quote(c.Test))
}

type end struct {
	seconds  float64
	timedOut bool
	failed   string // error and last line of output; "" means success or stopped by the limit
}

// do runs a command until its end or the limit, and kills all processes with its group or
// environment.
func (r *run) do(ctx context.Context, call []string) (e end, err error) {
	fill := strings.NewReplacer("{file}", r.name, "{ext}", filepath.Ext(r.name), "{test}", r.path("test.sh"),
		"{output}", r.path("out", r.name), "{outdir}", r.path("out"), "{jobs}", fmt.Sprint(r.jobs), "{dir}", r.dir)
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
		if last := r.lastLine(); last != "" {
			e.failed += ": " + last
		}
	}
	return e, nil
}

// inGroup returns a command that leads a process group. The group gets the signal when ctx is
// done.
func inGroup(ctx context.Context, signal syscall.Signal, words []string) *exec.Cmd {
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, signal) }
	return command
}

func (r *run) lastLine() string {
	log, _ := os.ReadFile(r.path("log"))
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	return strings.ToValidUTF8(fmt.Sprintf("%.200s", strings.TrimSpace(lines[len(lines)-1])), "?")
}

func (r *run) tests() int {
	info, err := os.Stat(r.path("count"))
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// result returns the output, or the candidate's file if the peer wrote no output. A missing file
// is empty. DustMite writes into a directory named after the candidate.
func (r *run) result() ([]byte, error) {
	for _, path := range []string{r.path("out", r.name), r.path("in", r.name+".reduced", r.name), r.path("in", r.name)} {
		file, err := os.ReadFile(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, nil
}

func (r *run) remove() error { return process.RemoveDirectory(r.dir) }
