package remote

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/remotetest"
	"whittle/oracle"
)

func atServer(t testing.TB, kind remotetest.Kind, text string, o Options) (*Cluster, oracle.Spec) {
	t.Helper()
	server := remotetest.Start(t, kind)
	path := filepath.Join(t.TempDir(), "test.sh")
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	o.Inputs = append(o.Inputs, Input{path, "test.sh"})
	o.Target = "grpc://" + server.Address
	if kind.Name == "justbuild" {
		o.Instance = "remote-execution" // its large files need a name
	}
	c, err := Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, oracle.Spec{Argv: []string{path}, Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute}
}

func TestClusterServers(t *testing.T) {
	for _, kind := range remotetest.Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			c, spec := atServer(t, kind, "#!/bin/sh\n. ./a.c\n", Options{Env: []string{"GREETING=hello"}})
			for text, want := range map[string]oracle.Run{
				"exit 0":        {Outcome: algo.Interesting},
				"exit 3":        {Outcome: algo.Uninteresting, ExitCode: 3},
				"exit 125":      {Outcome: algo.Unresolved, ExitCode: 125},
				"exit 139":      {Outcome: algo.Uninteresting, ExitCode: 139, Died: syscall.SIGSEGV},
				"kill -SEGV $$": {Outcome: algo.Uninteresting, ExitCode: -1, Died: syscall.SIGSEGV, Signal: "segmentation fault"},
				"kill -9 $$":    {Outcome: algo.Uninteresting, ExitCode: -1, Died: syscall.SIGKILL, Signal: "killed"},
				`[ "$GREETING" = hello ] && [ "$(ls -A | tr '\n' ' ')" = ".tmp a.c " ]`: {Outcome: algo.Interesting},
				`[ "$TMPDIR" = "$PWD/.tmp" ] && [ "$0" = "$WHITTLE_TEST_DIR/test.sh" ]`: {Outcome: algo.Interesting},
				"echo more >>a.c && rm a.c":           {Outcome: algo.Interesting},
				"echo whittle 1 0; read line; exit 1": {Outcome: algo.Uninteresting, ExitCode: 1},
				"kill -9 $PPID; exit 5":               {Outcome: algo.Uninteresting, ExitCode: 5},
			} {
				got, err := c.Run(t.Context(), spec, []byte(text))
				if strings.Contains(text, "PPID") { // kills the script
					if err == nil {
						t.Errorf("%q: %+v", text, got)
					}
					continue
				}
				if err != nil {
					t.Errorf("%q: %v", text, err)
					continue
				}
				if got.Outcome != want.Outcome || got.ExitCode != want.ExitCode || got.Died != want.Died ||
					got.Signal != want.Signal || got.TimedOut || got.Cached {
					t.Errorf("%q: %+v; want %+v", text, got, want)
				}
				t.Logf("%q: worker %q, %v", text, got.Worker, got.Elapsed)
			}
		})
	}
}

func TestClusterServersFiles(t *testing.T) {
	for _, kind := range remotetest.Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			c, spec := atServer(t, kind, "#!/bin/sh\ncat */a.c | tail -n 3; [ -x run ] && ./run && readlink link\n", Options{})
			spec.KeepOutput = true
			spec.Interesting = oracle.Criteria{Output: regexp.MustCompile("needle"), ExitCodes: []int{0}}
			spec.Layout = oracle.Layout{Name: ".", Files: func(candidate []byte) ([]oracle.File, error) {
				return []oracle.File{
					{Path: "src/a.c", Mode: 0o644, Content: candidate},
					{Path: "run", Mode: 0o755, Content: []byte("#!/bin/sh\necho ran\n")},
					{Path: "link", Mode: os.ModeSymlink, Link: "src/a.c"},
					{Path: "empty", Mode: os.ModeDir | 0o755},
				}, nil
			}}
			for _, size := range []int{0, 100_000, 3_000_000} {
				got, err := c.Run(t.Context(), spec, []byte(strings.Repeat("hay\n", size)+"needle\n"))
				if err != nil {
					t.Fatal(err)
				}
				if got.Outcome != algo.Interesting || !strings.HasSuffix(string(got.Output), "needle\nran\nsrc/a.c\n") {
					t.Errorf("%d: %+v: %s", size, got, got.Output)
				}
			}
			late := oracle.Spec{Argv: []string{"/bin/sh", "-c", "sleep 1000"}, Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Second}
			got, err := c.Run(t.Context(), late, []byte("int i;"))
			if err != nil || !got.TimedOut || got.Outcome != algo.Unresolved || got.Elapsed > 20*time.Second {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestClusterServersCache(t *testing.T) {
	for _, kind := range remotetest.Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			c, spec := atServer(t, kind, holds, Options{})
			other, err := Dial(t.Context(), c.options)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			var all sync.WaitGroup
			for i := range 20 {
				all.Go(func() {
					text := fmt.Append(nil, []string{"needle", "hay"}[i%2], i)
					first, err := c.Run(t.Context(), spec, text)
					if err != nil {
						t.Error(err)
					}
					second, err := other.Run(t.Context(), spec, text)
					if err != nil || first.Outcome != second.Outcome || !second.Cached || first.Cached {
						t.Errorf("%+v, then %+v, %v", first, second, err)
					}
				})
			}
			all.Wait()
			if n := other.Tally(); n.Uploaded != 0 || n.Cached != 20 {
				t.Errorf("%+v", n)
			}
			spec.Afresh = true
			if got, err := other.Run(t.Context(), spec, []byte("needle0")); err != nil || got.Cached {
				t.Errorf("afresh: %+v, %v", got, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			spec.Argv = []string{"/bin/sh", "-c", "sleep 1000"}
			began := time.Now()
			if _, err := other.Run(ctx, spec, nil); err != context.DeadlineExceeded {
				t.Error(err)
			}
			other.leaving.Wait()
			if n := other.Tally(); n.Cancelled != 1 && kind.Name != "justbuild" || // cannot
				time.Since(began) > 10*time.Second {
				t.Errorf("%+v after %v", n, time.Since(began))
			}
		})
	}
}
