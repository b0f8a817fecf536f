package local

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/process"
	"whittle/internal/testkit/programs"
	"whittle/oracle"
)

var _ oracle.Executor = (*Executor)(nil)

// newCommand returns a test that must leave the work directory empty at the end of t.
func newCommand(t testing.TB, program string) *command {
	t.Helper()
	path := programs.Script(t, program)
	return &command{
		oracle.Spec{Argv: []string{path}, Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute},
		Executor{Work: programs.Work(t)},
	}
}

type command struct {
	oracle.Spec
	Executor
}

func (c *command) test() oracle.Test { return oracle.Test{Spec: c.Spec, Executor: &c.Executor} }

func (c *command) Ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return c.test().Ask(ctx, candidate)
}

func (c *command) Explain(ctx context.Context, candidate []byte) (oracle.Run, error) {
	return c.test().Explain(ctx, candidate)
}

func newScript(t testing.TB, body string) *command {
	t.Helper()
	return newCommand(t, "#!/bin/sh\n"+body+"\n")
}

func (c *command) auxiliary(name string) string {
	return filepath.Join(filepath.Dir(c.Argv[0]), name)
}

func explain(t *testing.T, c *command, candidate string) oracle.Run {
	t.Helper()
	run, err := c.Explain(context.Background(), []byte(candidate))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// explainTimeout runs a test into its time limit after ready returns true, and repeats it with a
// higher one on slow machines.
func explainTimeout(t *testing.T, c *command, ready func(oracle.Run) bool) oracle.Run {
	t.Helper()
	for c.Timeout = 500 * time.Millisecond; c.Timeout < time.Minute; c.Timeout *= 4 {
		os.Remove(c.auxiliary("pids"))
		if run := explain(t, c, ""); !run.TimedOut || ready(run) {
			return run
		}
	}
	t.Fatal("the test does not get ready")
	return oracle.Run{}
}

func TestOutcome(t *testing.T) {
	tests := []struct {
		name, script string
		outcome      algo.Outcome
		code         int
		signal       string
	}{
		{"zero", "exit 0", algo.Interesting, 0, ""},
		{"one", "exit 1", algo.Uninteresting, 1, ""},
		{"cannot tell", "exit 125", algo.Unresolved, 125, ""},
		{"other", "exit 77", algo.Uninteresting, 77, ""},
		{"not found", "no-such-program", algo.Uninteresting, 127, ""},
		{"segv", "kill -SEGV $$", algo.Uninteresting, -1, syscall.SIGSEGV.String()},
		{"kill", "kill -KILL $$", algo.Uninteresting, -1, syscall.SIGKILL.String()},
		{"candidate read", "grep -q needle a.c", algo.Interesting, 0, ""},
		{"candidate not matched", "grep -q haystack a.c", algo.Uninteresting, 1, ""},
		{"candidate exact", `test "$(od -An -c <a.c | tr -d ' \n')" = 'needle\0\r\n377'`, algo.Interesting, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, tt.script)
			candidate := "needle\x00\r\n\xff"
			outcome, err := c.Ask(context.Background(), []byte(candidate))
			if err != nil || outcome != tt.outcome {
				t.Errorf("Test: %v, error %v, want %v", outcome, err, tt.outcome)
			}
			run := explain(t, c, candidate)
			if run.Outcome != tt.outcome || run.ExitCode != tt.code || run.Signal != tt.signal || run.TimedOut {
				t.Errorf("Explain: %+v, want %v, exit code %d, signal %q", run, tt.outcome, tt.code, tt.signal)
			}
			if run.Elapsed <= 0 {
				t.Errorf("elapsed %v", run.Elapsed)
			}
		})
	}
}

func TestExplainOutput(t *testing.T) {
	t.Parallel()
	run := explain(t, newScript(t, "echo one; echo two >&2; cat; echo three; exit 3"), "")
	if got := string(run.Output); got != "one\ntwo\nthree\n" || run.ExitCode != 3 {
		t.Errorf("output %q, exit code %d", got, run.ExitCode)
	}
}

func TestExplainBoundsOutput(t *testing.T) {
	t.Parallel()
	c := newScript(t, "head -c 100000000 /dev/zero; echo the end")
	run := explain(t, c, "")
	if len(run.Output) != process.OutputLimit || !bytes.HasSuffix(run.Output, []byte("\x00the end\n")) {
		t.Errorf("kept %d bytes, ending in %q", len(run.Output), run.Output[max(0, len(run.Output)-20):])
	}
	if run.Outcome != algo.Interesting {
		t.Error(run.Outcome)
	}
}

// sleepers starts processes that write their ids to a file next to the program. Some ignore
// SIGTERM, some hold the output open.
const sleepers = `
trap '' TERM HUP INT
pids=$WHITTLE_TEST_DIR/pids
sh -c 'echo $$ >>"$0"; exec sleep 1000' "$pids" &
(sh -c 'echo $$ >>"$0"; sleep 1000; sleep 1000' "$pids" &)
sh -c 'trap "" TERM; sh -c '\''echo $$ >>"$0"; exec sleep 1000'\'' "$0" & wait' "$pids" &
echo $$ >>"$pids"
while test "$(grep -c . "$pids")" -lt 4; do sleep 0.01; done
echo ready
`

func TestDirectory(t *testing.T) {
	t.Parallel()
	c := newScript(t, `
pwd; echo "$PWD"; ls; ls -A; ls -A .tmp; ls -ld . | cut -c1-10; ls -l a.c | cut -c1-10
echo "$TMPDIR"; echo "$TMP"; echo "$TEMP"; echo "$WHITTLE_TEST_DIR"; echo "$0"; echo $#
test -w "$TMPDIR" && mktemp >/dev/null && touch x .y && mkdir -p z/z
test -p /dev/stdin || test -t 0 || cat`)
	run := explain(t, c, "x")
	lines := strings.Split(string(run.Output), "\n")
	dir := lines[0]
	if filepath.Dir(filepath.Dir(dir)) != c.Work {
		t.Errorf("the directory %s is not in %s", dir, c.Work)
	}
	want := []string{
		dir, dir, "a.c", ".tmp", "a.c", "drwx------", "-rw-r--r--",
		dir + "/.tmp", dir + "/.tmp", dir + "/.tmp", filepath.Dir(c.Argv[0]), c.Argv[0], "0", "",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	again := explain(t, c, "x")
	if other, _, _ := strings.Cut(string(again.Output), "\n"); other == dir {
		t.Errorf("the directory %s was used twice", dir)
	}
}

func TestEnvironment(t *testing.T) {
	env, err := exec.LookPath("env") // prints duplicates, too
	if err != nil {
		t.Skip(err)
	}
	c := &command{oracle.Spec{Argv: []string{env}, Layout: oracle.Layout{Name: "a.c"}}, Executor{Work: t.TempDir()}}
	names := []string{"PWD", "TMPDIR", "TMP", "TEMP", "WHITTLE_TEST_DIR", "TMPDIR_OTHER"}
	for _, name := range names {
		t.Setenv(name, "/outer")
	}
	values := map[string][]string{}
	for line := range strings.Lines(string(explain(t, c, "").Output)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name] = append(values[name], value)
	}
	for _, name := range names {
		v := values[name]
		if outer := name == "TMPDIR_OTHER"; len(v) != 1 || (v[0] == "/outer") != outer {
			t.Errorf("%s is set to %q", name, v)
		}
	}
}

func TestRelativeWork(t *testing.T) {
	c := newScript(t, `case $TMPDIR in /*) test -d "$TMPDIR";; *) exit 1;; esac`)
	t.Chdir(c.Work)
	c.Work = "."
	if run := explain(t, c, ""); run.Outcome != algo.Interesting {
		t.Errorf("%+v", run)
	}
}

func TestCandidateNameAndMode(t *testing.T) {
	tests := []struct {
		name  string
		mode  fs.FileMode
		perms string
	}{
		{"a b.c", 0, "-rw-r--r--"},
		{"-n", 0o600, "-rw-------"},
		{".tmp", 0o755, "-rwxr-xr-x"},
		{"run", 0o666 | fs.ModeSetuid, "-rw-rw-rw-"},
		{"no\nend", 0o444, "-r--r--r--"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, `test -d "$TMPDIR" && ls -l "./$(cat "$WHITTLE_TEST_DIR/name")" | cut -c1-10 | head -n1`)
			c.Name, c.Mode = tt.name, tt.mode
			if err := os.WriteFile(c.auxiliary("name"), []byte(c.Name), 0o644); err != nil {
				t.Fatal(err)
			}
			run := explain(t, c, "")
			if got := string(run.Output); got != tt.perms+"\n" || run.Outcome != algo.Interesting {
				t.Errorf("%v, output %q", run.Outcome, got)
			}
		})
	}
}

func TestRemoval(t *testing.T) {
	tests := []struct{ name, script string }{
		{"locked", "mkdir -p x/y; touch x/y/z; chmod 0 x/y; chmod 0 x; chmod 0 .tmp; chmod 0 ."},
		{"read only", "mkdir -p x/y; touch x/y/z; chmod 555 x/y x ."},
		{"removed", `rm -rf "$PWD"`},
		{"moved away and replaced by a link", `mv "$PWD" "$PWD.gone"; ln -s "$WHITTLE_TEST_DIR" "$PWD"; rm -r "$PWD.gone"`},
		{"replaced by a file", `rm -rf "$PWD"; echo >"$PWD"`},
		{"link to elsewhere", `mkdir x; ln -s "$WHITTLE_TEST_DIR" x/y; chmod 0 x`},
		{"deep", `i=0; while test $i -lt 200; do mkdir 1234567890; cd -P 1234567890; i=$((i+1)); done`},
		{"being filled", `while :; do mktemp -p "$TMPDIR"; mkdir -p x/y/z; done >/dev/null 2>&1 & sleep 0.1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, tt.script) // looks for leftovers
			if outcome, err := c.Ask(context.Background(), nil); outcome != algo.Interesting || err != nil {
				t.Errorf("%v, error %v", outcome, err)
			}
			if info, err := os.Stat(c.Argv[0]); err != nil || info.Mode().Perm() != 0o755 {
				t.Errorf("the test program: %v, error %v", info, err)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	c := newScript(t, `echo "$0" "$@"; echo "$WHITTLE_TEST_DIR"; cat`)
	c.Name, c.Home, c.Stdin = "-a.c", "/home", true
	c.Argv = append(c.Argv, "-c", "{}", "--file={},{}", "$x *")
	want := c.Argv[0] + " -c ./-a.c --file=./-a.c,./-a.c $x *\n/home\nneedle\n"
	if got := string(explain(t, c, "needle\n").Output); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if c.Argv[2] != "{}" {
		t.Errorf("Argv was changed to %q", c.Argv)
	}
}

// Not parallel: it counts goroutines and open files.
func TestParallelRuns(t *testing.T) {
	// The candidate must not be busy by another test's fork.
	c := newScript(t, "(sleep 1000 &)\n./run || exit 2; case $(cat run) in *#odd) exit 1; esac")
	c.Name, c.Mode = "run", 0o755
	openFiles := func() int {
		fds, _ := os.ReadDir("/proc/self/fd")
		return len(fds)
	}
	files, goroutines := openFiles(), runtime.NumGoroutine()
	const workers, runs = 8, 200
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := next.Add(1); i <= runs; i = next.Add(1) {
				candidate, want := "#!/bin/sh\nexit 0\n", 0
				if i%2 == 1 {
					candidate, want = candidate+"#odd", 1
				}
				ctx, cancel := context.WithCancel(context.Background())
				if i%10 == 0 {
					time.AfterFunc(time.Millisecond, cancel)
				}
				run, err := c.Explain(ctx, []byte(candidate))
				if err != nil && (err != context.Canceled || i%10 != 0) {
					t.Error(err)
				}
				if err == nil && run.ExitCode != want {
					t.Errorf("exit code %d, want %d, output %q", run.ExitCode, want, run.Output)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	for end := time.Now().Add(programs.Soon); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
	}
	if n := openFiles(); n > files {
		t.Errorf("%d files open, %d before", n, files)
	}
}
