package local

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

func TestCriteria(t *testing.T) {
	const yes, no, open = algo.Interesting, algo.Uninteresting, algo.Unresolved
	segv, abrt := syscall.SIGSEGV, syscall.SIGABRT
	exits := oracle.Criteria{ExitCodes: []int{3, 70}}
	signals := oracle.Criteria{Signals: []syscall.Signal{segv, abrt}}
	says := oracle.Criteria{Output: regexp.MustCompile(`(?m)^bug [0-9]+$`)}
	hangs := oracle.Criteria{Timeout: true}
	lines := oracle.Criteria{Lines: []oracle.Line{
		{Pattern: regexp.MustCompile(`^bug`), Least: 1}, {Pattern: regexp.MustCompile(`error`), Most: 2}}}
	both := oracle.Criteria{ExitCodes: []int{1}, Output: says.Output}
	tests := []struct {
		name     string
		criteria oracle.Criteria
		script   string
		outcome  algo.Outcome
	}{
		{"code", exits, "exit 70", yes},
		{"other code", exits, "exit 0", no},
		{"signal is no code", exits, "kill -SEGV $$", no},
		{"cannot tell", exits, "exit 125", open},
		{"125 asked for", oracle.Criteria{ExitCodes: []int{125}}, "exit 125", yes},
		{"signal", signals, "kill -ABRT $$", yes},
		{"signal below a shell", signals, `sh -c 'kill -SEGV $$'; exit $?`, yes},
		{"other signal", signals, "kill -TERM $$", no},
		{"no signal", signals, "exit 0", no},
		{"stdout", says, "echo a bug; echo bug 12", yes},
		{"stderr", says, "echo bug 12 >&2; exit 3", yes},
		{"in much output", says, "head -c 3000000 /dev/zero; echo; echo bug 12; head -c 3000000 /dev/zero", yes},
		{"no match", says, "echo a bug 12", no},
		{"no output", says, "exit 0", no},
		{"cannot tell, but matches", says, "echo bug 1; exit 125", open},
		{"by a background process", says, "(echo bug 12)& wait", yes},
		{"lines", lines, "echo error 1; echo bug; echo error 2", yes},
		{"too many lines", lines, "echo error 1; echo bug; echo error 2 error; echo error 3", no},
		{"no such line", lines, "echo a bug", no},
		{"lines but cannot tell", lines, "echo bug; exit 125", open},
		{"hang", hangs, "sleep 1000", yes},
		{"no hang", hangs, "exit 0", no},
		{"hang not asked for", signals, "sleep 1000", open},
		{"both", both, "echo bug 1; exit 1", yes},
		{"one of both", both, "echo bug 1", no},
		{"other of both", both, "exit 1", no},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newScript(t, tt.script)
			c.Interesting = tt.criteria
			if strings.Contains(tt.name, "hang") && !strings.HasPrefix(tt.name, "no") {
				c.Timeout = 50 * time.Millisecond
			}
			if outcome, err := c.Ask(context.Background(), nil); outcome != tt.outcome || err != nil {
				t.Errorf("Test: %v, error %v, want %v", outcome, err, tt.outcome)
			}
			if run := explain(t, c, ""); run.Outcome != tt.outcome {
				t.Errorf("Explain: %+v, want %v", run, tt.outcome)
			}
		})
	}
}

// Reasons of a failure are in the output, or in a new text file of the directory.
func TestReasons(t *testing.T) {
	for script, want := range map[string]string{
		"echo why 1; echo why 2; exit 1":                    "why 1,why 2",
		"echo why not; exit 0":                              "why not",
		"echo why 3 >log; exit 1":                           "why 3",
		"echo why 4 >log; echo why 5; exit 1":               "why 5",
		"echo why 6 >log; exit 0":                           "why 6",
		`echo why "$PWD/d/log"; exit 1`:                     "why d/log",
		"echo why 7 >log; exit 125":                         "",
		"echo why 8 >a.c; exit 1":                           "",
		"printf 'why 9\\n\\0' >log; exit 1":                 "",
		"mkdir d; ln -s $0 log; echo why 10 >d/log; exit 1": "",
		"head -c 2000000 /dev/zero | tr '\\0' '\\n' >log; echo why 11 >>log; exit 1": "",
	} {
		c := newScript(t, script)
		c.Reason = func(line []byte) string {
			if bytes.HasPrefix(line, []byte("why ")) {
				return string(line)
			}
			return ""
		}
		run, err := c.Run(t.Context(), c.Spec, []byte("why a candidate\n"))
		if got := strings.Join(run.Reasons, ","); err != nil || got != want {
			t.Errorf("%s: error %v, reasons %q, want %q", script, err, got, want)
		}
	}
}

// A hasty test ends when its output decides.
func TestHaste(t *testing.T) {
	bug := oracle.Line{Pattern: regexp.MustCompile("^bug"), Least: 2}
	few := bug
	few.Most = 3
	for _, x := range []struct {
		name     string
		criteria oracle.Criteria
		script   string
		ends     bool
	}{
		{"lines", oracle.Criteria{Lines: []oracle.Line{bug}}, "echo bug; echo bug; sleep 1000", true},
		{"too few lines", oracle.Criteria{Lines: []oracle.Line{bug}}, "echo bug; sleep 1000", false},
		{"an exit code", oracle.Criteria{Lines: []oracle.Line{bug}, ExitCodes: []int{1}}, "echo bug; echo bug; sleep 1000", false},
		{"few lines", oracle.Criteria{Lines: []oracle.Line{few}}, "echo bug; echo bug; sleep 1000", false},
	} {
		c := newScript(t, x.script)
		c.Interesting = x.criteria
		for _, c.Hasty = range []bool{true, false} {
			want := algo.Unresolved
			if c.Timeout = 100 * time.Millisecond; c.Hasty && x.ends {
				c.Timeout, want = time.Minute, algo.Interesting
			}
			if outcome, err := c.Ask(t.Context(), nil); outcome != want || err != nil {
				t.Errorf("%s, hasty %t: %v, error %v", x.name, c.Hasty, outcome, err)
			}
		}
	}
}
