package oracle

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
)

func TestCriteria(t *testing.T) {
	const yes, no, open = algo.Interesting, algo.Uninteresting, algo.Unresolved
	segv, abrt := syscall.SIGSEGV, syscall.SIGABRT
	exits := Criteria{ExitCodes: []int{3, 70}}
	signals := Criteria{Signals: []syscall.Signal{segv, abrt}}
	says := Criteria{Output: regexp.MustCompile(`(?m)^bug [0-9]+$`)}
	hangs := Criteria{Timeout: true}
	both := Criteria{ExitCodes: []int{1}, Output: says.Output}
	tests := []struct {
		name     string
		criteria Criteria
		script   string
		outcome  algo.Outcome
	}{
		{"code", exits, "exit 70", yes},
		{"other code", exits, "exit 0", no},
		{"signal is no code", exits, "kill -SEGV $$", no},
		{"cannot tell", exits, "exit 125", open},
		{"125 asked for", Criteria{ExitCodes: []int{125}}, "exit 125", yes},
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
			if outcome, err := c.Test(context.Background(), nil); outcome != tt.outcome || err != nil {
				t.Errorf("Test: %v, error %v, want %v", outcome, err, tt.outcome)
			}
			if run := explain(t, c, ""); run.Outcome != tt.outcome {
				t.Errorf("Explain: %+v, want %v", run, tt.outcome)
			}
		})
	}
}

func TestCriteriaString(t *testing.T) {
	tests := []struct {
		exits, signals, output string
		want                   string
	}{
		{"", "", "", "0"},
		{"1", "", "", "1"},
		{"3,1,2,7,8,2", "", "", "1-3,7-8"},
		{"1-255", "", "x+", `1-255 with output that matches "x+"`},
		{"", "sigsegv,6", "", "death by SIGABRT or SIGSEGV"},
		{"", "any", "", "death by a signal"},
	}
	for _, tt := range tests {
		var c Criteria
		var err error
		if tt.exits != "" {
			if c.ExitCodes, err = ParseExitCodes(tt.exits); err != nil {
				t.Error(err)
			}
		}
		if tt.signals != "" {
			if c.Signals, err = ParseSignals(tt.signals); err != nil {
				t.Error(err)
			}
		}
		if tt.output != "" {
			c.Output = regexp.MustCompile(tt.output)
		}
		if got := c.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	for _, bad := range []string{"", "x", "256", "-1", "5-3", "1,,2", "1-"} {
		if codes, err := ParseExitCodes(bad); err == nil {
			t.Errorf("%q gives %v", bad, codes)
		}
	}
	for _, bad := range []string{"", "0", "65", "SEGVX", "SEGV,"} {
		if signals, err := ParseSignals(bad); err == nil {
			t.Errorf("%q gives %v", bad, signals)
		}
	}
	if all, _ := ParseSignals("any,SEGV"); !slices.Contains(all, syscall.SIGSEGV) || len(all) != lastSignal {
		t.Errorf("any is %v", all)
	}
}
