package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/programs"
	"whittle/oracle"
)

type tested struct {
	oracle.Spec
	*Executor
}

func (s *tested) Ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return oracle.Test{Spec: s.Spec, Executor: s.Executor}.Ask(ctx, candidate)
}

func (s *tested) Explain(ctx context.Context, candidate []byte) (oracle.Run, error) {
	return oracle.Test{Spec: s.Spec, Executor: s.Executor}.Explain(ctx, candidate)
}

func (s *tested) auxiliary(name string) string { return filepath.Join(s.Home, name) }

// newServer returns a shell script as a server. Each start adds its process id to the file starts in $here. The end of
// t checks for leftovers.
func newServer(t *testing.T, body string) *tested {
	t.Helper()
	path := programs.Script(t, "#!/bin/sh\n"+`here=$WHITTLE_TEST_DIR; echo $$ >>"$here/starts"`+"\n"+body+"\n")
	work := programs.Work(t) // the check follows the close
	s := &tested{
		oracle.Spec{Argv: []string{path}, Home: filepath.Dir(path), Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute},
		New(t.Context(), Options{Work: work, Jobs: 4, Known: []byte("good")}),
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if data, err := os.ReadFile(s.auxiliary("starts")); err == nil {
			programs.CheckDead(t, programs.PIDs(t, s.auxiliary("starts"), strings.Count(string(data), "\n")))
		}
	})
	return s
}

// loop answers with the output of a function named test.
const loop = `
while read -r path; do
	(cd "$(dirname "$path")" && test_it "$path" </dev/null)
done`

func (s *tested) starts(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile(s.auxiliary("starts"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), "\n")
}

func answers(t *testing.T, s *tested, want map[string]algo.Outcome, candidates ...string) {
	t.Helper()
	for _, c := range candidates {
		outcome, err := s.Ask(context.Background(), []byte(c))
		if err != nil || outcome != want[c] {
			t.Fatalf("of %q: %v, error %v, want %v", c, outcome, err, want[c])
		}
	}
}

var words = map[string]algo.Outcome{
	"good": algo.Interesting, "bad": algo.Uninteresting, "odd": algo.Unresolved,
	"fatal": algo.Unresolved, "endless": algo.Unresolved, "nonsense": algo.Unresolved, "silent": algo.Unresolved,
}

func TestServerAnswers(t *testing.T) {
	t.Parallel()
	s := newServer(t, `test_it() {
		test "$(ls)" = a.c && test "$1" = "$PWD/a.c" && test -w "$TMPDIR" || exit
		case $(cat a.c) in
		good) echo interesting;;
		bad) printf 'uninteresting\r\n';;
		odd) echo unresolved;;
		esac; }`+loop)
	answers(t, s, words, "good", "bad", "odd", "good")
	if n := s.starts(t); n != 1 {
		t.Errorf("%d servers were started", n)
	}
	run, err := s.Explain(context.Background(), []byte("bad"))
	if err != nil || run.Reply != `it answered "uninteresting"` || run.Outcome != algo.Uninteresting ||
		run.ExitCode != -1 || run.Elapsed <= 0 {
		t.Errorf("%+v, error %v", run, err)
	}
}

func TestServerLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newServer(t, `
	mktemp >/dev/null
	(trap '' TERM HUP INT; exec sleep 1000) &
	echo $! >>"$here/pids"
	if command -v setsid >/dev/null; then setsid sleep 1000 & echo $! >>"$here/pids"; else echo $! >>"$here/pids"; fi
	trap '' TERM HUP INT
	read -r path && echo interesting
	cat >/dev/null # until no more paths come
	exec sleep 1000`)
	answers(t, s, words, "good")
	pids := programs.PIDs(t, s.auxiliary("pids"), 2)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	programs.CheckDead(t, pids)
}

// Standard input is closed, and the server may finish.
func TestServerEnds(t *testing.T) {
	t.Parallel()
	s := newServer(t, `while read -r path; do echo interesting; done; echo end >"$here/end"`)
	answers(t, s, words, "good")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !exists(s.auxiliary("end")) {
		t.Error("it was killed")
	}
}

func TestServerCancelled(t *testing.T) {
	t.Parallel()
	s := newServer(t, `while read -r path; do
		touch "$here/asked"
		case $(cat "$path") in
		slow) while ! test -e "$here/go"; do sleep 0.01; done;;
		endless) sleep 1000;;
		esac
		echo interesting
	done`)
	answers(t, s, words, "good")
	test := func(candidate string, asked func()) {
		t.Helper()
		os.Remove(s.auxiliary("asked"))
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			_, err := s.Ask(ctx, []byte(candidate))
			done <- err
		}()
		for end := time.Now().Add(programs.Soon); time.Now().Before(end) && !exists(s.auxiliary("asked")); {
			time.Sleep(time.Millisecond)
		}
		cancel()
		asked()
		select {
		case err := <-done:
			if err != context.Canceled {
				t.Errorf("error %v", err)
			}
		case <-time.After(programs.Soon):
			t.Fatal("Test did not return")
		}
	}
	s.pool.start = time.Minute // a long start
	test("slow", func() { os.WriteFile(s.auxiliary("go"), nil, 0o644) })
	if n := s.starts(t); n != 1 || len(s.pool.free) != 1 {
		t.Errorf("%d servers were started, %d are free", n, len(s.pool.free))
	}
	s.pool.start = time.Millisecond
	test("endless", func() {})
	answers(t, s, words, "good")
	if n := s.starts(t); n != 2 {
		t.Errorf("%d servers were started, want 2", n)
	}

	s.pool.start = time.Minute
	test("endless", func() { s.Close() }) // kills at once
	if _, err := s.Ask(context.Background(), []byte("good")); err != context.Canceled {
		t.Errorf("after the end: error %v", err)
	}
}

func TestServerContext(t *testing.T) {
	t.Parallel()
	s := newServer(t, `while read -r path; do echo interesting; done; sleep 1000`)
	ctx, cancel := context.WithCancel(context.Background())
	s.Executor = New(ctx, Options{Work: s.Work, Jobs: 1})
	answers(t, s, words, "good")
	cancel()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	programs.CheckDead(t, programs.PIDs(t, s.auxiliary("starts"), 1))
}

func TestServersInParallel(t *testing.T) {
	t.Parallel()
	s := newServer(t, `while read -r path; do
		case $(cat "$path") in *7) exit 1;; *[13579]) echo interesting;; *) echo uninteresting;; esac
	done`)
	const jobs, candidates = 4, 40
	answers(t, s, map[string]algo.Outcome{"1": algo.Interesting}, "1")
	var all sync.WaitGroup
	for j := range jobs {
		all.Go(func() {
			for i := j; i < candidates; i += jobs {
				want := algo.Outcome(algo.Uninteresting)
				switch {
				case i%10 == 7:
					want = algo.Unresolved
				case i%2 == 1:
					want = algo.Interesting
				}
				if outcome, err := s.Ask(context.Background(), []byte(strconv.Itoa(i))); err != nil || outcome != want {
					t.Errorf("of %d: %v, error %v, want %v", i, outcome, err, want)
				}
			}
		})
	}
	all.Wait()
	if len(s.pool.free) > jobs {
		t.Errorf("%d servers for %d jobs", len(s.pool.free), jobs)
	}
}

func TestServerPathOfOneLine(t *testing.T) {
	t.Parallel()
	s := newServer(t, `while read -r path; do echo interesting; done`)
	s.Name = "a\nb"
	var environment *oracle.EnvironmentError
	if _, err := s.Ask(context.Background(), nil); !errors.As(err, &environment) ||
		!strings.Contains(fmt.Sprint(err), "line break") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkServer(b *testing.B) {
	program := programs.Script(b, "#!/bin/sh\nwhile read -r path; do echo interesting; done\n")
	s := tested{
		oracle.Spec{
			Argv: []string{program}, Home: filepath.Dir(program), Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute,
		},
		New(b.Context(), Options{Work: b.TempDir(), Jobs: 1}),
	}
	defer s.Close()
	candidate := make([]byte, 10_000)
	for b.Loop() {
		if _, err := s.Ask(b.Context(), candidate); err != nil {
			b.Fatal(err)
		}
	}
}
