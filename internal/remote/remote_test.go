package remote

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/algo"
	"whittle/internal/testkit/fake"
	"whittle/oracle"
)

type rig struct {
	*Cluster
	server *fake.Server
	spec   oracle.Spec
}

var hasty = pace{
	shortest: time.Millisecond, longest: 20 * time.Millisecond, worrying: 50 * time.Millisecond,
	silent: 300 * time.Millisecond, reply: 5 * time.Second,
}

func start(t *testing.T, text string, so fake.Options, o Options) *rig {
	t.Helper()
	r := &rig{server: serve(t, so, fake.Hooks{})}
	path := filepath.Join(t.TempDir(), "test.sh")
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	o.Inputs = append(o.Inputs, Input{path, "test.sh"})
	o.Target = r.server.Target()
	var err error
	if r.Cluster, err = dialAt(t.Context(), o, hasty); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Cluster.Close() })
	r.spec = oracle.Spec{Argv: []string{path}, Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute}
	return r
}

func serve(t *testing.T, o fake.Options, h fake.Hooks) *fake.Server {
	t.Helper()
	o.Dir = t.TempDir()
	s, err := fake.Start(o, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func (r *rig) run(t *testing.T, candidate string) oracle.Run {
	t.Helper()
	run, err := r.Run(t.Context(), r.spec, []byte(candidate))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestClusterOutcomes(t *testing.T) {
	r := start(t, "#!/bin/sh\n. ./a.c\n", fake.Options{}, Options{Env: []string{"GREETING=hello"}})
	for _, c := range []struct {
		text string
		want oracle.Run
	}{
		{"exit 0", oracle.Run{Outcome: algo.Interesting}},
		{"exit 3", oracle.Run{Outcome: algo.Uninteresting, ExitCode: 3}},
		{"exit 125", oracle.Run{Outcome: algo.Unresolved, ExitCode: 125}},
		{"exit 139", oracle.Run{Outcome: algo.Uninteresting, ExitCode: 139, Died: syscall.SIGSEGV}},
		{"kill -SEGV $$", oracle.Run{Outcome: algo.Uninteresting, ExitCode: -1, Died: syscall.SIGSEGV,
			Signal: "segmentation fault"}},
		{`[ "$GREETING" = hello ] && [ -z "$HOME" ]`, oracle.Run{Outcome: algo.Interesting}},
		{`[ "$(ls -A)" = ".tmp
a.c" ]`, oracle.Run{Outcome: algo.Interesting}},
		{`[ -d "$TMPDIR" ] && [ "$TMPDIR" = "$PWD/.tmp" ] && [ "$0" = "$WHITTLE_TEST_DIR/test.sh" ]`,
			oracle.Run{Outcome: algo.Interesting}},
		{"echo more >>a.c", oracle.Run{Outcome: algo.Interesting}},
		{"read line", oracle.Run{Outcome: algo.Uninteresting, ExitCode: 1}},
		{"echo whittle 1 0; exit 1", oracle.Run{Outcome: algo.Uninteresting, ExitCode: 1}},
	} {
		got := r.run(t, c.text)
		if got.Elapsed <= 0 || got.Worker != "fake" || got.Cached {
			t.Errorf("%q: elapsed %v, worker %q, cached %v", c.text, got.Elapsed, got.Worker, got.Cached)
		}
		if got.Outcome != c.want.Outcome || got.ExitCode != c.want.ExitCode || got.Died != c.want.Died ||
			got.Signal != c.want.Signal || got.TimedOut {
			t.Errorf("%q: %+v; want %+v", c.text, got, c.want)
		}
	}
	if n := r.server.Calls("Read") + r.server.Calls("BatchReadBlobs"); n != 0 {
		t.Errorf("%d downloads, though only exit codes are wanted", n)
	}
}

func TestClusterOutput(t *testing.T) {
	for _, inline := range []bool{false, true} {
		r := start(t, "#!/bin/sh\ncat a.c; echo end >&2\n", fake.Options{Inline: inline}, Options{})
		r.spec.KeepOutput = true
		r.spec.Interesting = oracle.Criteria{
			Output: regexp.MustCompile("needle"), Lines: []oracle.Line{{Pattern: regexp.MustCompile("^x"), Least: 2, Most: 2}},
		}
		if got := r.run(t, "x\nx needle\n"); got.Outcome != algo.Interesting || !got.Matched || got.Counts[0] != 2 ||
			string(got.Output) != "x\nx needle\nend\n" {
			t.Errorf("%+v", got)
		}
		if got := r.run(t, "x\nneedle\n"); got.Outcome != algo.Uninteresting || !got.Matched || got.Counts[0] != 1 {
			t.Errorf("%+v", got)
		}
		large := strings.Repeat("x\n", 1<<20) + "needle\n"
		if got := r.run(t, large); got.Counts[0] != 1<<20 || !got.Matched || len(got.Output) != 256<<10 {
			t.Errorf("of much output: %d lines, matched %v, kept %d", got.Counts[0], got.Matched, len(got.Output))
		}
	}
}

func TestClusterTimeout(t *testing.T) {
	t.Parallel()
	r := start(t, "#!/bin/sh\nsleep 1000\n", fake.Options{CachesFailures: true}, Options{})
	r.spec.Timeout = 700 * time.Millisecond
	for range 2 { // then from the cache
		got := r.run(t, "int i;")
		if got.Outcome != algo.Unresolved || !got.TimedOut || got.Timeout != time.Second || got.Cached {
			t.Errorf("%+v", got)
		}
	}
	if n := r.server.Executed(); n != 2 {
		t.Errorf("executed %d times; want 2", n)
	}
}

func TestClusterCache(t *testing.T) {
	r := start(t, "#!/bin/sh\ngrep -q needle a.c\n", fake.Options{}, Options{})
	if got := r.run(t, "needle"); got.Cached {
		t.Error("cached at once")
	}
	if got := r.run(t, "needle"); got.Cached {
		t.Error("a repeat is no repeat")
	}
	o := r.options
	other, err := Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for k := range 2 {
		if got, err := other.Run(t.Context(), r.spec, []byte("needle")); err != nil || !got.Cached ||
			got.Outcome != algo.Interesting || got.Elapsed <= 0 {
			t.Errorf("the %d. question of another user: %+v, %v", k, got, err)
		}
	}
	if other.Tally().Uploaded != 0 || other.Tally().Cached != 2 {
		t.Errorf("%+v", other.Tally())
	}
	r.spec.Afresh = true
	if got, err := other.Run(t.Context(), r.spec, []byte("needle")); err != nil || got.Cached {
		t.Errorf("afresh: %+v, %v", got, err)
	}
}

func TestClusterSeveralFiles(t *testing.T) {
	r := start(t, `[ -x run ] && ./run && [ "$(cat link)" = deep ] && [ "$(ls -A ..)" = ".tmp
test" ] && [ -d empty ] && echo >>src/a/b.c`, fake.Options{}, Options{})
	r.spec.Layout = oracle.Layout{Name: "src", Files: func(candidate []byte) ([]oracle.File, error) {
		return []oracle.File{
			{Path: "src/a/b.c", Mode: 0o644, Content: candidate},
			{Path: "run", Mode: 0o755, Content: []byte("#!/bin/sh\nexit 0\n")},
			{Path: "link", Mode: os.ModeSymlink, Link: "src/a/b.c"},
			{Path: "empty", Mode: os.ModeDir | 0o755},
		}, nil
	}}
	r.spec.KeepOutput = true
	if got := r.run(t, "deep"); got.Outcome != algo.Interesting {
		t.Errorf("%+v: %s", got, got.Output)
	}
	before := r.Tally().Uploaded
	r.run(t, "flat")
	if n := r.Tally().Uploaded - before; n > 1200 {
		t.Errorf("%d bytes for a file of 4 that has changed", n)
	}
}

func TestClusterLarge(t *testing.T) {
	r := start(t, "#!/bin/sh\ntail -c 6 a.c | grep -q needle\n", fake.Options{}, Options{})
	for _, size := range []int{4<<20 - 2000, 4 << 20, 9 << 20} {
		if got := r.run(t, strings.Repeat(" ", size)+"needle"); got.Outcome != algo.Interesting {
			t.Errorf("%d bytes: %+v", size, got)
		}
	}
	if r.server.Calls("Write") != 2 {
		t.Errorf("%d streams; want 2", r.server.Calls("Write"))
	}
}

func TestClusterCancel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, "#!/bin/sh\necho $$ >"+dir+"/pid; sleep 1000\n", fake.Options{}, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := r.Run(ctx, r.spec, []byte("int i;"))
		ended <- err
	}()
	for {
		if text, _ := os.ReadFile(dir + "/pid"); len(text) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	text, err := os.ReadFile(dir + "/pid")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != context.Canceled {
		t.Errorf("error %v", err)
	}
	r.leaving.Wait()
	for range 1000 { // the worker is slow
		if err = syscall.Kill(pid, 0); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err == nil {
		t.Error("the test runs on")
	}
	if n := r.Tally().Cancelled; n != 1 {
		t.Errorf("%d operations cancelled; want 1", n)
	}
}

func TestClusterManyAtOnce(t *testing.T) {
	const jobs = 250
	r := start(t, holds, fake.Options{}, Options{Jobs: jobs})
	var running sync.WaitGroup
	running.Add(jobs)
	r.server.Hook(fake.Hooks{Execute: func(context.Context, *repb.Action, *repb.Command) *repb.ExecuteResponse {
		running.Done()
		running.Wait()
		return &repb.ExecuteResponse{Result: &repb.ActionResult{StdoutRaw: verdict{code: 1}.line()}}
	}})
	var all sync.WaitGroup
	for i := range jobs {
		all.Go(func() {
			if got, err := r.Run(t.Context(), r.spec, fmt.Append(nil, i)); err != nil || got.ExitCode != 1 {
				t.Error(got, err)
			}
		})
	}
	all.Wait()
}
