package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"whittle/internal/output"
	"whittle/internal/run"
)

// TestE2EKill kills whittle with SIGKILL at random moments, starts it again each time, and compares with an undisturbed
// run. The result is the same, only tests that were running at a kill run again, and no files or processes remain. With
// --in-place the journal is lost after some kills, which only costs tests.
//
// No reduction ends before its last kill: the number of tests before it is limited, and further tests block.
func TestE2EKill(t *testing.T) {
	kills := 8
	if s := os.Getenv("WHITTLE_KILLS"); s != "" {
		var err error
		if kills, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	queue := killCase{file: "queue.c", jobs: 1,
		test: `tr -d ' \n\t' <queue.c >q && grep -q 'head=NEXT(head)' q && grep -q 'job->cost\[i\]<0' q`}
	words := killCase{file: "words.py", jobs: 1, flags: "--driver list --algorithm ddmin",
		test: `grep -q def words.py && grep -q return words.py && grep -q for words.py`}
	cases := []killCase{queue, queue.with(4, ""), words.with(4, "--in-place"), words.with(4, "--in-place").careless()}
	if kills > 50 { // which takes more tests than that
		ledger := killCase{file: "ledger.c", jobs: 1, test: read(t, "../../testdata/demo/test.sh")}
		words = words.with(1, "--language chars")
		inPlace := words.with(4, "--in-place")
		cases = []killCase{ledger, ledger.with(4, ""), words, words.with(4, ""), inPlace, inPlace.careless()}
	}
	for _, c := range cases {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			undisturbed := newKilled(t, c)
			undisturbed.finish(t)
			oneByOne := newKilled(t, c.with(1, ""))
			oneByOne.finish(t)
			k := newKilled(t, c)
			r := rand.New(rand.NewPCG(1, uint64(kills)))
			left := oneByOne.tests(t) - 3
			for life := range kills {
				allowed := min(r.IntN(1+2*left/(kills-life)), left)
				left -= allowed
				k.kill(t, r, allowed)
				if c.loses {
					k.loseJournal(t, r)
				}
			}
			k.finish(t)

			got, want := k.tests(t), undisturbed.tests(t)
			t.Logf("%d tests with %d kills, %d without; %d bytes", got, kills, want, len(k.result(t)))
			if k.result(t) != undisturbed.result(t) {
				t.Errorf("the result is\n%s\nnot\n%s", k.result(t), undisturbed.result(t))
			}
			// Each start checks at most once more whether sanitizers find the test's program.
			most := want + kills*(c.jobs+1)
			if c.jobs > 1 { // speculation depends on timing: two more rounds of tests per life
				most += 2 * kills * c.jobs
			}
			if got > most && !c.loses {
				t.Errorf("%d tests in all, more than %d", got, most)
			}
			if strings.Contains(c.flags, "--in-place") {
				k.again(t)
			}
		})
	}
}

type killCase struct {
	file  string
	jobs  int
	flags string
	test  string
	loses bool // the journal, now and then
}

func (c killCase) String() string {
	s := fmt.Sprintf("%s -j %d %s", c.file, c.jobs, c.flags)
	if c.loses {
		s += " without journal"
	}
	return s
}

func (c killCase) with(jobs int, flags string) killCase {
	c.jobs, c.flags = jobs, strings.TrimSpace(c.flags+" "+flags)
	return c
}

// careless returns the case with a journal that is lost now and then.
func (c killCase) careless() killCase {
	c.loses = true
	return c
}

// killed is the directory of a reduction that is killed.
type killed struct {
	killCase
	dir, input string
}

func newKilled(t *testing.T, c killCase) *killed {
	k := &killed{c, t.TempDir(), read(t, "../../testdata/input/"+c.file) + read(t, "../../testdata/demo/"+c.file)}
	write(t, k.path("test.sh"), `#!/bin/sh
echo test >>"$WHITTLE_TEST_DIR/log"
n=$(wc -l <"$WHITTLE_TEST_DIR/log")
[ $n -le $(cat "$WHITTLE_TEST_DIR/allowed") ] || exec sleep 1000
`+c.test+"\n", 0o755)
	write(t, k.path(c.file), k.input, 0o644)
	write(t, k.path("log"), "", 0o644)
	write(t, k.path("allowed"), "1000000", 0o644)
	if err := os.Mkdir(k.path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *killed) path(name string) string { return filepath.Join(k.dir, name) }

func (k *killed) tests(t *testing.T) int { return strings.Count(read(t, k.path("log")), "\n") }

func (k *killed) output() string {
	if strings.Contains(k.flags, "--in-place") {
		return k.file
	}
	in := output.Input{Paths: []string{k.file}}
	return in.ResultPath()
}

func (k *killed) result(t *testing.T) string { return read(t, k.path(k.output())) }

func (k *killed) command(stderr *bytes.Buffer) *exec.Cmd {
	args := append([]string{"reduce", "--force", "-j", strconv.Itoa(k.jobs)}, strings.Fields(k.flags)...)
	whittle := exec.Command("whittle", append(args, "test.sh", k.file)...)
	whittle.Dir, whittle.Stderr = k.dir, stderr
	whittle.Env = append(os.Environ(), "TMPDIR="+k.path("tmp"))
	return whittle
}

// kill runs whittle for a while and kills it before it exceeds the allowed number of tests.
func (k *killed) kill(t *testing.T, r *rand.Rand, allowed int) {
	begin := k.tests(t)
	write(t, k.path("allowed"), strconv.Itoa(begin+allowed), 0o644)
	var stderr bytes.Buffer
	whittle := k.command(&stderr)
	if err := whittle.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- whittle.Wait() }()
	// Some kills are before the first new test. The others are after a new test, to make progress.
	enough := time.After(time.Duration(r.IntN(100)) * time.Millisecond)
	if more := r.IntN(2 + allowed); more > 0 {
		wait(t, "more tests", func() bool { return k.tests(t) >= begin+more || len(ended) > 0 })
		enough = time.After(time.Duration(r.IntN(20)) * time.Millisecond)
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended before it was killed: %v\n%s", err, stderr.String())
	case <-enough:
	}
	whittle.Process.Kill()
	var exit *exec.ExitError
	if err := <-ended; !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
}

// loseJournal deletes or truncates the journal, like a user or a power failure.
func (k *killed) loseJournal(t *testing.T, r *rand.Rand) {
	path := k.path(k.output() + ".journal")
	content := read(t, path)
	if content == "" {
		return
	}
	at := r.IntN(len(content))
	switch r.IntN(6) {
	case 0:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	case 1:
		write(t, path, "", 0o644)
	case 2:
		write(t, path, content[:at]+"torn", 0o644) // records of owned files were synced
	case 3:
		write(t, path, content[:at]+string(content[at]^1)+content[at+1:], 0o644)
	case 4:
		write(t, path, content[:at]+strings.Repeat("\x00", len(content)-at), 0o644)
	}
}

// finish runs whittle to its end, and checks the remaining files.
func (k *killed) finish(t *testing.T) {
	k.run(t)
	want := []string{"allowed", "log", "test.sh", "tmp", k.file}
	original := k.file
	if k.output() == k.file {
		original += ".orig"
		want = append(want, original, k.file+".journal")
	} else {
		want = append(want, k.output())
	}
	slices.Sort(want)
	got := names(t, k.dir)
	if k.loses {
		got = slices.DeleteFunc(got, func(name string) bool { return k.isOld(t, name) })
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are the files %v, want %v", got, want)
	}
	if read(t, k.path(original)) != k.input {
		t.Error("the input is not what it was")
	}
	if left := leftovers(k.dir, k.path("tmp")); left != "" {
		t.Error(left)
	}
}

// isOld reports whether a file is an old journal or result, kept after the loss of the journal.
func (k *killed) isOld(t *testing.T, name string) bool {
	if strings.HasPrefix(name, k.file+".journal.old") {
		return true
	}
	if !strings.HasPrefix(name, k.file+".old") {
		return false
	}
	if n := len(read(t, k.path(name))); n == 0 || n >= len(k.input) {
		t.Errorf("%s has %d bytes, the input %d", name, n, len(k.input))
	}
	return true
}

func (k *killed) run(t *testing.T) (stderr string) {
	write(t, k.path("allowed"), "1000000", 0o644)
	var messages bytes.Buffer
	if err := k.command(&messages).Run(); err != nil {
		t.Fatalf("%v\n%s", err, messages.String())
	}
	return messages.String()
}

// again runs the same command after the end. It has no work left.
func (k *killed) again(t *testing.T) {
	before := k.tests(t)
	result := k.result(t)
	messages := k.run(t)
	if !strings.Contains(messages, "was already reduced") || k.result(t) != result ||
		k.tests(t) > before+1+run.Confirmations {
		t.Errorf("the same command again: %d tests, %d bytes and not %d\n%s",
			k.tests(t)-before, len(k.result(t)), len(result), messages)
	}
}
