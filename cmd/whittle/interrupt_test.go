package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hangs is a test that accepts files of more than six lines. For others it starts processes that
// ignore signals, writes their ids, and hangs.
const hangs = `#!/bin/sh
[ $(wc -l <list.txt) -gt 6 ] && exit 0
trap '' INT TERM HUP
setsid sh -c 'trap "" INT TERM HUP; echo $$ >>"$WHITTLE_TEST_DIR/pids"; sleep 1000' &
sleep 1000 &
echo $$ $! >>"$WHITTLE_TEST_DIR/pids"
while :; do sleep 1000; done
`

const (
	manyLines = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\nq\nr\ns\nt\n"
	fewLines  = "a\nb\nc\n"
)

// An interrupt kills the processes of tests, removes their directories, and leaves the best result
// in the output.
func TestE2EInterrupt(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals []os.Signal
		args    []string
		input   string
		code    int
		message string
		started bool // there was a result to keep
	}{
		{"SIGINT", []os.Signal{syscall.SIGINT}, []string{"-j", "1"}, manyLines, 130, "SIGINT", true},
		{"SIGTERM", []os.Signal{syscall.SIGTERM}, []string{"-j", "2"}, manyLines, 143, "SIGTERM", true},
		{"SIGHUP", []os.Signal{syscall.SIGHUP}, []string{"-j", "2"}, manyLines, 129, "SIGHUP", true},
		{"SIGQUIT", []os.Signal{syscall.SIGQUIT}, []string{"-j", "2"}, manyLines, 131, "SIGQUIT", true},
		{"twice", []os.Signal{syscall.SIGINT, syscall.SIGINT, syscall.SIGINT, syscall.SIGINT}, []string{"-j", "4"},
			manyLines, 130, "SIGINT", true},
		{"in place", []os.Signal{syscall.SIGINT}, []string{"-j", "2", "--in-place"}, manyLines, 130, "SIGINT", true},
		{"first test", []os.Signal{syscall.SIGINT}, []string{"-j", "2"}, fewLines, 130, "SIGINT", false},
		{"first test, -q", []os.Signal{syscall.SIGTERM}, []string{"-q", "--in-place"}, fewLines, 143, "SIGTERM", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(c.signals, os.Signal(syscall.SIGHUP)) && signal.Ignored(syscall.SIGHUP) {
				t.Skip("nohup lets no program hear SIGHUP")
			}
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			inPlace := slices.Contains(c.args, "--in-place")
			result, original := path("list.reduced.txt"), path("list.txt")
			if inPlace {
				result, original = path("list.txt"), path("list.txt.orig")
			}
			write(t, path("test.sh"), hangs, 0o755)
			write(t, path("list.txt"), c.input, 0o644)
			args := append([]string{"reduce", "--force", "--driver", "list", "--algorithm", "opdd", "--timeout", "1h",
				"--stats", "stats.json", "--trace", "trace.jsonl"}, c.args...)
			whittle, stderr := begin(t, dir, append(args, "test.sh", "list.txt")...)
			wait(t, "three processes of a test", func() bool {
				return len(strings.Fields(read(t, path("pids")))) >= 3
			})
			if c.started { // else it may be a test that runs ahead
				wait(t, "the first success", func() bool { return len(read(t, result)) == len(manyLines)/2 })
			}
			for _, s := range c.signals {
				whittle.Process.Signal(s)
			}
			began := time.Now()
			err := whittle.Wait()
			t.Logf("ended after %v: %v\n%s", time.Since(began), err, stderr.String())
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != c.code {
				t.Errorf("%v, want exit code %d", err, c.code)
			}
			if want := "whittle: interrupted by " + c.message + "\n"; !strings.HasSuffix(stderr.String(), want) {
				t.Errorf("stderr does not end with %q", want)
			}

			checkGone(t, dir)
			want := []string{"list.txt", "pids", "stats.json", "test.sh", "tmp", "trace.jsonl"}
			if !c.started {
				original = path("list.txt")
			} else if inPlace {
				want = append(want, "list.txt.orig", "list.txt.journal")
			} else {
				want = append(want, "list.reduced.txt", "list.reduced.txt.journal")
			}
			slices.Sort(want)
			if got := names(t, dir); !slices.Equal(got, want) {
				t.Errorf("there are the files %v, want %v", got, want)
			}
			if read(t, original) != c.input {
				t.Error("the input is not what it was")
			}
			if c.started {
				checkBest(t, read(t, result), read(t, path("trace.jsonl")), read(t, path("stats.json")))
			}
		})
	}
}

// checkBest checks that a result is the last accepted candidate of the trace.
func checkBest(t *testing.T, result, trace, stats string) {
	best := ""
	for _, line := range readTrace(t.Fatalf, trace) {
		if string(line["accepted"]) == "true" {
			best = string(line["bytes"])
		}
	}
	if size := strconv.Itoa(len(result)); size != best {
		t.Errorf("the output has %s bytes, the best candidate %q", size, best)
	}
	var s struct {
		After int `json:"bytes_after"`
		Run   int `json:"tests_run"`
	}
	if err := json.Unmarshal([]byte(stats), &s); err != nil || s.After != len(result) || s.Run == 0 {
		t.Errorf("the stats are %+v, %v", s, err)
	}
}

// An interrupt works even while the reduction is busy.
func TestE2EInterruptBusy(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	// The brackets keep the parser and the driver busy for a while.
	nested := strings.Repeat("(", 20_000) + "crash" + strings.Repeat(")", 20_000)
	write(t, path("test.sh"), "#!/bin/sh\ngrep -q crash deep.c", 0o755)
	write(t, path("deep.c"), nested, 0o644)
	whittle, _ := begin(t, dir, "reduce", "--force", "--driver", "hdd", "test.sh", "deep.c")
	wait(t, "the reduction", func() bool { return read(t, path("deep.reduced.c")) != "" })
	whittle.Process.Signal(syscall.SIGINT)
	err := whittle.Wait()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want exit code 130", err)
	}
	checkGone(t, dir)
	if size := len(read(t, path("deep.reduced.c"))); size == 0 || size > len(nested) {
		t.Errorf("the output has %d bytes", size)
	}
}

// begin starts whittle, with a directory tmp for its temporary files.
func begin(t *testing.T, dir string, args ...string) (whittle *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	tmp := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	whittle, stderr = exec.Command("whittle", args...), &bytes.Buffer{}
	whittle.Dir, whittle.Stderr, whittle.Env = dir, stderr, append(os.Environ(), "TMPDIR="+tmp)
	if err := whittle.Start(); err != nil {
		t.Fatal(err)
	}
	return whittle, stderr
}

// checkGone checks that the processes in the file pids have ended, and that nothing is left of a run.
func checkGone(t *testing.T, dir string) {
	t.Helper()
	if alive := stillAlive(strings.Fields(read(t, filepath.Join(dir, "pids")))); len(alive) > 0 {
		t.Errorf("still alive: %v", alive)
	}
	if left := leftovers(dir, filepath.Join(dir, "tmp")); left != "" {
		t.Error(left)
	}
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for ", what)
		}
	}
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(content), mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(content)
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
