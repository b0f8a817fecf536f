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
)

// TestKill kills whittle with SIGKILL at random moments of a reduction, starts it
// again each time, and compares with a run that nothing disturbs: the result is
// the same, a test is run again only if it was running when whittle was killed,
// and nothing is left behind. 'make killtest' does it a hundred times per
// reduction.
func TestKill(t *testing.T) {
	kills := 8
	if s := os.Getenv("WHITTLE_KILLS"); s != "" {
		var err error
		if kills, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	queue := killCase{file: "queue.c", jobs: 1, test: `tr -d ' \n\t' <queue.c >q && grep -q 'head=NEXT(head)' q && grep -q 'job->cost\[i\]<0' q`}
	words := killCase{file: "words.py", jobs: 1, flags: "--driver list --algorithm ddmin", test: `grep -q def words.py && grep -q return words.py && grep -q for words.py`}
	cases := []killCase{queue, queue.with(4, ""), words.with(4, "--in-place")}
	if kills > 50 { // which takes more tests than that
		ledger := killCase{file: "ledger.c", jobs: 1, test: read(t, "../../testdata/demo/test.sh")}
		words = words.with(1, "--language chars")
		cases = []killCase{ledger, ledger.with(4, ""), words, words.with(4, ""), words.with(4, "--in-place")}
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s -j %d %s", c.file, c.jobs, c.flags), func(t *testing.T) {
			t.Parallel()
			undisturbed := newKilled(t, c)
			undisturbed.finish(t)
			k := newKilled(t, c)
			r := rand.New(rand.NewPCG(1, uint64(kills)))
			done := 0
			for done < kills && k.kill(t, r, undisturbed.tests(t)/kills) {
				done++
			}
			k.finish(t)

			got, want := k.tests(t), undisturbed.tests(t)
			t.Logf("%d tests with %d kills, %d without; %d bytes", got, done, want, len(k.result(t)))
			if done < kills {
				t.Errorf("the reduction ended after %d kills", done)
			}
			if k.result(t) != undisturbed.result(t) {
				t.Errorf("the result is\n%s\nnot\n%s", k.result(t), undisturbed.result(t))
			}
			most := want + kills*c.jobs
			if c.jobs > 1 { // each life may run ahead in vain once more
				most += kills * c.jobs
			}
			if got > most {
				t.Errorf("%d tests in all, more than %d", got, most)
			}
		})
	}
}

// killCase is a reduction; the file is one of testdata.
type killCase struct {
	file  string
	jobs  int
	flags string
	test  string
}

// with gives the case with that many jobs and more flags.
func (c killCase) with(jobs int, flags string) killCase {
	c.jobs, c.flags = jobs, strings.TrimSpace(c.flags+" "+flags)
	return c
}

// killed is a directory in which a reduction is killed.
type killed struct {
	killCase
	dir, input string
}

func newKilled(t *testing.T, c killCase) *killed {
	k := &killed{c, t.TempDir(), read(t, "../../testdata/input/"+c.file) + read(t, "../../testdata/demo/"+c.file)}
	write(t, k.path("test.sh"), "#!/bin/sh\necho test >>\"$WHITTLE_TEST_DIR/log\"\n"+c.test+"\n", 0o755)
	write(t, k.path(c.file), k.input, 0o644)
	write(t, k.path("log"), "", 0o644)
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
	return resultPath(k.file)
}

func (k *killed) result(t *testing.T) string { return read(t, k.path(k.output())) }

func (k *killed) command(stderr *bytes.Buffer) *exec.Cmd {
	args := append([]string{"reduce", "-j", strconv.Itoa(k.jobs)}, strings.Fields(k.flags)...)
	whittle := exec.Command("whittle", append(args, "test.sh", k.file)...)
	whittle.Dir, whittle.Stderr = k.dir, stderr
	whittle.Env = append(os.Environ(), "TMPDIR="+k.path("tmp"))
	return whittle
}

// kill lets whittle work for a while and kills it. It gives false if whittle had
// ended before.
func (k *killed) kill(t *testing.T, r *rand.Rand, perLife int) bool {
	var stderr bytes.Buffer
	whittle := k.command(&stderr)
	if err := whittle.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- whittle.Wait() }()
	// A share of the kills comes before the first new test; the others, so that
	// there is progress, some time after one or another new test.
	enough := time.After(time.Duration(r.IntN(100)) * time.Millisecond)
	if more := r.IntN(1 + 3*perLife/2); more > 0 {
		last := k.tests(t) + more
		wait(t, "more tests", func() bool { return k.tests(t) >= last || len(ended) > 0 })
		enough = time.After(time.Duration(r.IntN(20)) * time.Millisecond)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		return false
	case <-enough:
	}
	whittle.Process.Kill()
	var exit *exec.ExitError
	if err := <-ended; err == nil {
		return false
	} else if !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return true
}

// finish lets whittle end, and checks what is left.
func (k *killed) finish(t *testing.T) {
	var stderr bytes.Buffer
	if err := k.command(&stderr).Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	want := []string{"log", "test.sh", "tmp", k.file}
	original := k.file
	if k.output() == k.file {
		original += ".orig"
		want = append(want, original)
	} else {
		want = append(want, k.output())
	}
	slices.Sort(want)
	if got := names(t, k.dir); !slices.Equal(got, want) {
		t.Errorf("there are the files %v, want %v", got, want)
	}
	if read(t, k.path(original)) != k.input {
		t.Error("the input is not what it was")
	}
	if left := leftovers(k.dir, k.path("tmp")); left != "" {
		t.Error(left)
	}
}
