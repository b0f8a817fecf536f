package server

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/testkit/programs"
	"whittle/oracle"
)

func TestServerFails(t *testing.T) {
	const rest = `case $(cat a.c) in *good) echo interesting;; *bad) echo uninteresting;; esac; }` + loop
	for _, tt := range []struct {
		candidate, script string
		starts            int // two, unless the first was late
	}{
		{"fatal", `test_it() { grep -q fatal a.c && kill -KILL $$;` + rest, 3},
		{"nonsense", `test_it() { grep -q nonsense a.c && echo Exception;` + rest, 3},
		{"silent", `test_it() { grep -q silent a.c && kill $$;` + rest, 3},
		{"endless", `test_it() { grep -q endless a.c && sleep 1000;` + rest, 2},
	} {
		t.Run(tt.candidate, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, tt.script)
			answers(t, s, words, "good")
			if tt.candidate == "endless" {
				s.Timeout = 300 * time.Millisecond
			}
			answers(t, s, words, tt.candidate)
			s.Timeout = time.Minute
			answers(t, s, words, "bad", "good")
			if n := s.starts(t); n != tt.starts {
				t.Errorf("%d servers were started, want %d", n, tt.starts)
			}
		})
	}
}

func TestServerAskedAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t, `test_it() { echo interesting; }
	n=0
	while read -r path; do
		n=$((n+1)); test $n = 3 && exit 1
		echo interesting
	done`)
	answers(t, s, words, "good", "good", "good", "good", "good")
	if n := s.starts(t); n != 3 {
		t.Errorf("%d servers were started, want 3", n)
	}
}

func TestServerLimits(t *testing.T) {
	for _, place := range []string{`$(dirname "$path")`, "$TMPDIR"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, `while read -r path; do
				if grep -q fatal "$path"; then
					head -c 10000000 /dev/zero >"`+place+`/full"
					exec sleep 1000
				fi
				echo interesting
			done`)
			s.Limits.Disk = 1 << 20
			answers(t, s, words, "good")
			run, err := s.Explain(context.Background(), []byte("fatal"))
			if err != nil || run.Outcome != algo.Unresolved || run.Exceeded != oracle.DiskLimit ||
				!strings.Contains(run.Reply, "space on disk") {
				t.Errorf("%+v, error %v", run, err)
			}
			answers(t, s, words, "good")
		})
	}
}

// A resumed run may begin with a fatal candidate.
func TestServerFailsAtFirst(t *testing.T) {
	t.Parallel()
	s := newServer(t, `while read -r path; do grep -q fatal "$path" && exit 1; echo interesting; done`)
	answers(t, s, words, "fatal", "good", "fatal", "good")
	if n := s.starts(t); n != 5 { // for fatal, known, good, and twice for fatal
		t.Errorf("%d servers were started, want 5", n)
	}
}

func TestServerForOne(t *testing.T) {
	t.Parallel()
	s := newServer(t, `read -r path && cat "$path"`)
	answers(t, s, map[string]algo.Outcome{"interesting\n": algo.Interesting, "uninteresting\n": algo.Uninteresting},
		"interesting\n", "uninteresting\n", "interesting\n")
}

func TestServerErrors(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		before       []string // candidates
		reason       string   // for the candidate x
		stderr       string
	}{
		{"never starts", `echo no such jar >&2; exit 3`, nil, "it ended with exit code 3", "no such jar\n"},
		{"is killed", `kill -SEGV $$`, nil, "it was ended by a signal: segmentation fault", ""},
		{"closes its output", `exec >&-; read -r path; exec sleep 1000`, nil, "it closed its standard output", ""},
		{"banner", `echo "Oracle 1.0"; read -r path; echo interesting; read -r path`, nil, `"Oracle 1.0"`, ""},
		{"prints for ever", `yes`, nil, `"y`, ""},
		{"one long line", `head -c 100000 /dev/zero | tr '\0' x; exec sleep 1000`, nil, `"xxx`, ""},
		{"two lines", `read -r path; printf 'interesting\n(done)\n'; read -r path`, nil,
			`it wrote "(done)\n", which answers no path`, ""},
		{"a line later", `read -r path; echo interesting; sleep 0.1; echo; touch "$here/written"; read -r path`,
			[]string{"good"}, `it wrote "", which answers no path`, ""},
		{"starts no more", `test -e "$here/gone" && exit 7; read -r path && echo interesting; touch "$here/gone"`,
			[]string{"good"}, "even for the input, which it should answer for: it ended with exit code 7", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, tt.script)
			answers(t, s, words, tt.before...)
			var err error
			for range 10 {
				late := tt.name == "a line later"
				if late {
					for end := time.Now().Add(programs.Soon); time.Now().Before(end) && !exists(s.auxiliary("written")); {
						time.Sleep(time.Millisecond)
					}
					os.Remove(s.auxiliary("written"))
				}
				var outcome algo.Outcome
				if outcome, err = s.Ask(context.Background(), []byte("x")); err != nil {
					break
				} else if outcome != algo.Unresolved && !late { // perhaps read too late
					t.Fatal(outcome)
				}
			}
			var environment *oracle.EnvironmentError
			var failure *Error
			if !errors.As(err, &environment) || !errors.As(err, &failure) || !strings.Contains(failure.Reason, tt.reason) {
				t.Fatalf("error %v, want %q", err, tt.reason)
			}
			if string(failure.Stderr) != tt.stderr {
				t.Errorf("stderr %q, want %q", failure.Stderr, tt.stderr)
			}
			if want := strings.TrimSpace(tt.stderr); !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not contain %q", err, want)
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
