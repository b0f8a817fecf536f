package local

import (
	"context"
	"flag"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/process"
	"whittle/internal/testkit/cases"
	"whittle/oracle"
)

func TestLimits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux tells of memory and limits files")
	}
	small := oracle.Limits{Memory: 50 << 20, Disk: 2 << 20}
	tests := []struct {
		name, script string
		limits       oracle.Limits
		exceeded     oracle.Limit
	}{
		{"memory", "exec tail /dev/zero", small, oracle.MemoryLimit},
		{"memory of a child", "tail /dev/zero", small, oracle.MemoryLimit},
		{"disk", "while :; do head -c 100000 /dev/zero >$(mktemp); done", small, oracle.DiskLimit},
		{"disk beside the directory", "while :; do head -c 100000 /dev/zero >$(mktemp -p ..); done", small, oracle.DiskLimit},
		{"disk, and the end before anybody looks", "head -c 3000000 /dev/zero >big", small, oracle.DiskLimit},
		{"many files", "while :; do mktemp; done", oracle.Limits{Disk: 1 << 20}, oracle.DiskLimit},
		{"processes", "mkfifo f; exec 3<>f; i=0; while test $i -lt 5000; do (read x <&3) & i=$((i+1)); done; wait",
			oracle.Limits{Memory: 100 << 30}, oracle.ProcessLimit},
		{"no limit", "head -c 3000000 /dev/zero >file", oracle.Limits{}, oracle.NoLimit},
		{"within the limits", "head -c 1000000 /dev/zero >file; sleep 0.3", small, oracle.NoLimit},
		{"sparse file", "truncate -s 1900000 a b c d; sleep 0.3", small, oracle.NoLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, tt.script)
			c.Limits = tt.limits
			run := explain(t, c, "")
			want := algo.Unresolved
			if tt.exceeded == oracle.NoLimit {
				want = algo.Interesting
			}
			if run.Exceeded != tt.exceeded || run.Outcome != want || run.TimedOut {
				t.Errorf("%+v, want %v", run, tt.exceeded)
			}
		})
	}
}

// Not parallel: the limit is the process's.
func TestLimitFiles(t *testing.T) {
	undo := LimitFiles(2 << 20)
	defer undo()
	for _, script := range []string{
		"exec head -c 3000000 /dev/zero >file",
		`head -c 3000000 /dev/zero >"$WHITTLE_TEST_DIR/file"; exit $?`,
	} {
		run := explain(t, newScript(t, script), "")
		if run.Exceeded != oracle.FileSizeLimit || run.Outcome != algo.Unresolved {
			t.Errorf("%s: %+v", script, run)
		}
	}
	if run := explain(t, newScript(t, "ulimit -c"), ""); string(run.Output) != "0\n" {
		t.Errorf("limit of core files %q", run.Output)
	}
	undo()
	if run := explain(t, newScript(t, "head -c 3000000 /dev/zero >file"), ""); run.Outcome != algo.Interesting {
		t.Errorf("without limit: %+v", run)
	}
}

func TestMemoryLimitCountsSharedOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux tells of memory")
	}
	perl := "my $x = 'x' x 40_000_000; fork for 1..2; sleep 1"
	c := newScript(t, "perl -e \"$1\" || exit 3")
	c.Argv = append(c.Argv, perl)
	c.Limits.Memory = 130 << 20 // below four times 40 MB, even if some end while others are read
	if run := explain(t, c, ""); run.Exceeded != oracle.NoLimit {
		t.Errorf("%+v", run)
	}
}

func TestIdle(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux tells of processor time")
	}
	for script, idle := range map[string]bool{
		"sleep 60": true, "sleep 60 & wait": true, "(ulimit -t 1; while :; do :; done)": false,
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, script)
			c.Timeout, c.Idle = time.Hour, 600*time.Millisecond
			run := explain(t, c, "")
			if run.TimedOut != idle || run.Waited >= c.Idle != idle || run.Elapsed > 30*time.Second {
				t.Errorf("%+v", run)
			}
		})
	}
}

func TestProcessorTime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux tells of processor time")
	}
	t.Parallel()
	tests := []struct {
		script string
		limit  time.Duration
	}{
		{"grep -q x a.c || while :; do :; done", time.Second / 2},
		{"grep -q x a.c || (while :; do :; done) & (while :; do :; done) & wait", time.Second / 2},
		{"grep -q x a.c || for i in 1 2 3 4 5 6 7 8 9; do (ulimit -t 1; while :; do :; done); done", 3 * time.Second / 2},
	}
	for i := range cases.Of(t, len(tests), 3) {
		tt := tests[i]
		c := newScript(t, tt.script)
		c.Timeout, c.Processor = time.Hour, tt.limit
		run := explain(t, c, "")
		if !run.TimedOut || run.Outcome != algo.Unresolved || run.Exceeded != oracle.NoLimit || run.Processor < tt.limit {
			t.Errorf("%s: %+v, %v used", tt.script, run, run.Processor)
		}
	}
}

// A loop in a built program does not spoil the build; one in a tool does.
func TestProcessTime(t *testing.T) {
	if runtime.GOOS != "linux" || exec.Command("cc", "--version").Run() != nil {
		t.Skip("needs Linux and a C compiler")
	}
	t.Parallel()
	for _, tt := range []struct {
		script string
		stays  bool
	}{
		{`echo 'int main(void) { for (;;); }' >loop.c && cc -o loop loop.c && { ./loop; exit 1; }`, true},
		{"for i in 1 2 3; do sh -c 'i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done'; done; while :; do :; done", false},
	} {
		c := newScript(t, tt.script)
		c.Keeper = NewKeeper(t.Context().Done(), 1)
		c.Keeper.KeepBuilds(true)
		c.Layout = oracle.Layout{Name: "project", Files: func(content []byte) ([]oracle.File, error) {
			return []oracle.File{{Path: "a", Content: content, Mode: 0o600}}, nil
		}}
		c.Timeout, c.Process = time.Hour, time.Second/2
		run := explain(t, c, "")
		if !run.TimedOut || run.Outcome != algo.Unresolved || run.Longest < c.Process {
			t.Errorf("%s: %+v", tt.script, run)
		}
		if stays := len(c.Keeper.free[true]) == 1; stays != tt.stays {
			t.Errorf("%s: the build stays: %v", tt.script, stays)
		}
		c.Keeper.Clear()
	}
}

// The threads of a process count once.
func TestThreads(t *testing.T) {
	if runtime.GOOS != "linux" || exec.Command("python3", "-V").Run() != nil {
		t.Skip("needs Linux and Python")
	}
	t.Parallel()
	c := newScript(t, `exec python3 -c '
import threading, time
block = bytearray(50 << 20)
for i in range(30):
    threading.Thread(target=time.sleep, args=(0.8,), daemon=True).start()
while time.process_time() < 0.5:
    pass'`)
	c.Timeout, c.Processor, c.Limits.Memory = time.Hour, 5*time.Second, 500<<20
	run := explain(t, c, "")
	if run.Outcome != algo.Interesting || run.Exceeded != oracle.NoLimit || run.Processor > 2*time.Second {
		t.Errorf("%+v, %v used", run, run.Processor)
	}
}

func TestProgramChanged(t *testing.T) {
	t.Parallel()
	c := newScript(t, `test -s a.c && echo "#" >>"$0"; exit 0`)
	var err error
	if c.Program, err = NewProgram(c.Argv[0]); err != nil {
		t.Fatal(err)
	}
	if outcome, err := c.Ask(context.Background(), nil); outcome != algo.Interesting || err != nil {
		t.Error(outcome, err)
	}
	if _, err := c.Ask(context.Background(), []byte("x")); err == nil {
		t.Error("the change is not noticed")
	}
}

var manyTests = flag.Int("disk-tests", 300, "how many tests TestDiskUse runs")

func TestDiskUse(t *testing.T) {
	const jobs, perTest = 4, 1 << 20 // bytes
	if testing.Short() {
		*manyTests = min(*manyTests, 60)
	}
	c := newScript(t, `
head -c 200000 /dev/zero >left
head -c 200000 /dev/zero >"$TMPDIR/left"
head -c 200000 /dev/zero >../left
mkdir -p a/b && echo >a/b/c && chmod 0 a
ulimit -c unlimited; kill -SEGV $$`)
	most, done := uint64(0), make(chan bool)
	go func() {
		defer close(done)
		for range time.Tick(10 * time.Millisecond) {
			select {
			case done <- true:
				return
			default:
				most = max(most, process.DiskUse(c.Work, 1<<40))
			}
		}
	}()
	var wg sync.WaitGroup
	for job := range jobs {
		wg.Go(func() {
			for n := job; n < *manyTests; n += jobs {
				if outcome, err := c.Ask(context.Background(), []byte("int x;")); outcome != algo.Uninteresting || err != nil {
					t.Error(outcome, err)
				}
			}
		})
	}
	wg.Wait()
	<-done
	t.Logf("%d tests, at most %d bytes at once", *manyTests, most)
	if most > jobs*perTest {
		t.Errorf("%d bytes at once", most)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Work, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
