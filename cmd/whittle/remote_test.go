package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whittle/internal/testkit/remotetest"
)

// remoteCase is a command that must have the same result on a server and on this machine.
type remoteCase struct {
	name  string
	files map[string]string
	args  string // with the command
	makes string // the output file; "" for standard output
	jobs  []int  // how many tests at once there, each of which is tried
	env   string // of the test, NAME=VALUE
}

const (
	queueTest = "#!/bin/sh\ntr -d ' \\n\\t' <queue.c >q && grep -q 'head=NEXT(head)' q && grep -q 'job->cost\\[i\\]<0' q\n"
	wordsTest = "#!/bin/sh\ngrep -q def words.py && grep -q return words.py && grep -q for words.py\n"
	twoFiles  = "#!/bin/sh\n${CC:-cc} -c a.c && grep -q twice a.c && grep -q twice b.h\n"
)

// The result, the questions, their outcomes and their number do not depend on the place of tests, except that whittle
// does not know the files that remote tests read. So the test of a directory reads all files.
func TestClusterRemote(t *testing.T) {
	t.Parallel()
	gcc := compiler(t, "gcc")
	words := read(t, "../../testdata/input/words.py")
	demo := remoteCase{name: "demo", files: map[string]string{"test.sh": read(t, "../../testdata/demo/test.sh"),
		"ledger.c": read(t, "../../testdata/demo/ledger.c")}, args: "reduce --target-tokens 300 test.sh ledger.c",
		makes: "ledger.reduced.c", env: "CC=" + gcc, jobs: []int{4}}
	all := os.Getenv("WHITTLE_REMOTE_ALL") != ""
	if all {
		demo.args, demo.jobs = "reduce test.sh ledger.c", []int{1, 4, 32}
	}
	cases := []remoteCase{demo,
		{name: "a file", files: map[string]string{"test.sh": wordsTest, "words.py": words},
			args: "reduce test.sh words.py", makes: "words.reduced.py", jobs: []int{1, 5}},
		{name: "two files", files: map[string]string{"test.sh": twoFiles,
			"a.c": "#include \"b.h\"\nint unused;\nint main(void) { int i = 3; return twice(i) + unused; }\n",
			"b.h": "int other(int, int);\nint twice(int); /* once more */\n"},
			args: "reduce test.sh a.c b.h", makes: "reduced", env: "CC=" + gcc, jobs: []int{3}},
		{name: "a directory", files: map[string]string{"test.sh": "#!/bin/sh\ncat src/more.txt src/run >cat\ngrep -q return src/deep/words.py && test -x src/run\n",
			"src/deep/words.py": words, "src/run": "#!/bin/sh\necho\n", "src/more.txt": "more\n"},
			args: "reduce test.sh src", makes: "src.reduced", jobs: []int{3}},
		{name: "output", files: map[string]string{"test.sh": "#!/bin/sh\ngrep -n for words.py >&2\nexit 7\n", "words.py": words},
			args: "reduce --interesting-output for.*in --interesting-exit 7 test.sh words.py", makes: "words.reduced.py", jobs: []int{3}},
		{name: "signals", files: map[string]string{"test.sh": "#!/bin/sh\ngrep -q 'for.*in' words.py && kill -SEGV $$\n", "words.py": words},
			args: "reduce --interesting-signal SEGV test.sh words.py", makes: "words.reduced.py", jobs: []int{3}},
		{name: "a command", files: map[string]string{
			"bad.c": "int f(void);\nint two(int a) { return a * 2; }\nint main(void) {\n  int x = two(3);\n  return f() + x + y;\n}\n"},
			args: "reduce --no-valid bad.c -- " + gcc + " -c {}", makes: "bad.reduced.c", jobs: []int{3}},
		{name: "isolate", files: map[string]string{"test.sh": wordsTest, "words.py": words,
			"old.py": strings.Replace(strings.Replace(words, "for", "while", -1), "import", "from", -1)},
			args: "isolate test.sh old.py words.py", jobs: []int{3}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			here := c.run(t, "-j", "2")
			for _, kind := range remotetest.Kinds {
				t.Run(kind.Name, func(t *testing.T) {
					t.Parallel()
					if c.name == demo.name && kind.Name == remotetest.Casd.Name && !all {
						t.Skip("it takes longer: set WHITTLE_REMOTE_ALL")
					}
					for _, jobs := range c.jobs {
						server := remotetest.Start(t, kind) // which knows no outcome yet
						there := c.run(t, "--remote", "grpc://"+server.Address, "--remote-jobs", strconv.Itoa(jobs))
						here.compare(t, there)
						server.Kill()
					}
				})
			}
		})
	}
}

// A killed run continues from its journal, and repeats no test.
func TestClusterRemoteKill(t *testing.T) {
	t.Parallel()
	c := remoteCase{args: "reduce test.sh words.py", makes: "words.reduced.py",
		files: map[string]string{"test.sh": wordsTest, "words.py": read(t, "../../testdata/input/words.py")}}
	server := remotetest.Start(t, remotetest.Casd)
	here := c.run(t)
	dir := t.TempDir()
	c.lay(t, dir)
	flags := []string{"--remote", "grpc://" + server.Address, "--remote-jobs", "3"}
	for life := range 3 {
		journal := filepath.Join(dir, "words.reduced.py.journal")
		lines := func() int { // of a journal that may not be there yet
			content, _ := os.ReadFile(journal)
			return bytes.Count(content, []byte("\n"))
		}
		begin := lines()
		whittle := c.command(dir, flags...)
		if err := whittle.Start(); err != nil {
			t.Fatal(err)
		}
		wait(t, "outcomes in the journal", func() bool { return lines() > begin+10 })
		whittle.Process.Kill()
		if err := whittle.Wait(); err == nil {
			t.Fatalf("life %d ended before it was killed", life)
		}
	}
	whittle := c.command(dir, flags...)
	if err := whittle.Run(); err != nil {
		t.Fatalf("%v\n%s", err, whittle.Stderr)
	}
	there := c.outcome(t, dir, "")
	if there.replayed < 10 {
		t.Errorf("only %d outcomes are from the journal", there.replayed)
	}
	here.compare(t, there)
}

// check tests the input and an empty file on the cluster.
func TestClusterRemoteCheck(t *testing.T) {
	t.Parallel()
	for _, kind := range remotetest.Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			server := remotetest.Start(t, kind)
			c := remoteCase{args: "check test.sh queue.c",
				files: map[string]string{"test.sh": queueTest, "queue.c": read(t, "../../testdata/input/queue.c")}}
			there := c.run(t, "--remote", "grpc://"+server.Address, "--remote-jobs", "4")
			if !strings.Contains(there.result, "good: reduce with this test") {
				t.Errorf("of a test that is good it says\n%s", there.result)
			}
			c.files = map[string]string{"test.sh": "#!/bin/sh\nlocalcc queue.c\n", "queue.c": "int i;\n",
				"bin/localcc": "#!/bin/sh\ntrue\n"}
			dir := t.TempDir()
			c.lay(t, dir)
			whittle := c.command(dir, "--remote", "grpc://"+server.Address, "--remote-jobs", "4")
			whittle.Env = append(whittle.Env, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			var exit *exec.ExitError
			if err := whittle.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 ||
				!strings.Contains(fmt.Sprint(whittle.Stdout), "localcc") {
				t.Errorf("a compiler that is only here: %v\n%s%s", err, whittle.Stdout, whittle.Stderr)
			}
		})
	}
}

type outcome struct {
	result   string
	tests    int
	replayed int      // of these from a journal
	trace    []string // what was asked, in order, and the answers
}

func (c *remoteCase) run(t *testing.T, flags ...string) *outcome {
	t.Helper()
	dir := t.TempDir()
	c.lay(t, dir)
	whittle := c.command(dir, flags...)
	if err := whittle.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", c.args, err, whittle.Stderr)
	}
	return c.outcome(t, dir, fmt.Sprint(whittle.Stdout))
}

func (c *remoteCase) lay(t *testing.T, dir string) {
	t.Helper()
	for name, content := range c.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(content, "#!") {
			mode = 0o755
		}
		write(t, path, content, mode)
	}
}

// command returns the command with more flags in a directory with its files. Stdout and Stderr are
// buffers.
func (c *remoteCase) command(dir string, flags ...string) *exec.Cmd {
	command, rest, _ := strings.Cut(c.args, " ")
	args := append([]string{command}, flags...)
	if command == "reduce" {
		args = append(args, "--trace", "trace", "--stats", "stats")
	}
	if c.env != "" && slices.Contains(flags, "--remote") {
		args = append(args, "--remote-env", c.env)
	}
	whittle := exec.Command("whittle", append(args, strings.Fields(rest)...)...)
	whittle.Dir, whittle.Stdout, whittle.Stderr = dir, &bytes.Buffer{}, &bytes.Buffer{}
	whittle.Env = append(os.Environ(), c.env)
	return whittle
}

func (c *remoteCase) outcome(t *testing.T, dir, stdout string) *outcome {
	t.Helper()
	o := &outcome{result: stdout}
	if c.makes != "" {
		o.result = everything(t, filepath.Join(dir, c.makes))
	}
	if !strings.HasPrefix(c.args, "reduce") {
		return o
	}
	var stats struct {
		Run      int `json:"tests_run"`
		Replayed int `json:"tests_replayed"` // tests of an earlier run
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "stats"))), &stats); err != nil {
		t.Fatal(err)
	}
	o.tests, o.replayed = stats.Run+stats.Replayed, stats.Replayed
	for line := range strings.Lines(read(t, filepath.Join(dir, "trace"))) {
		var step map[string]any
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatal(err)
		}
		delete(step, "ms")
		delete(step, "cached")
		delete(step, "replayed")
		o.trace = append(o.trace, fmt.Sprint(step)) // whose keys are sorted
	}
	return o
}

func (o *outcome) compare(t *testing.T, other *outcome) {
	t.Helper()
	if other.result != o.result {
		t.Errorf("the result is\n%s\nnot\n%s", other.result, o.result)
	}
	if other.tests != o.tests {
		t.Errorf("%d tests, not %d", other.tests, o.tests)
	}
	for i, step := range o.trace {
		if i >= len(other.trace) || other.trace[i] != step {
			t.Errorf("step %d is %v, not %s", i+1, other.trace[i:min(i+1, len(other.trace))], step)
			break
		}
	}
}

// everything returns the content of a file, or of all files below a directory.
func everything(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		return read(t, path)
	}
	files := map[string]string{}
	err = filepath.WalkDir(path, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files[p[len(path):]] = read(t, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&all, "== %s\n%s\n", name, files[name])
	}
	return all.String()
}
