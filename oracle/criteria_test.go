package oracle

import (
	"regexp"
	"slices"
	"syscall"
	"testing"

	"whittle/algo"
)

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
	if all, _ := ParseSignals("any,SEGV"); !slices.Contains(all, syscall.SIGSEGV) || len(all) != LastSignal {
		t.Errorf("any is %v", all)
	}
}

func TestElseZero(t *testing.T) {
	c := Criteria{ExitCodes: []int{2}, ElseZero: true}
	for code, want := range map[int]algo.Outcome{0: algo.Uninteresting, 1: algo.Unresolved, 2: algo.Interesting} {
		if got := c.Judge(&Run{ExitCode: code}); got != want {
			t.Errorf("exit code %d is %v, want %v", code, got, want)
		}
	}
	c.ElseZero = false
	if got := c.Judge(&Run{ExitCode: 1}); got != algo.Uninteresting {
		t.Errorf("without ElseZero exit code 1 is %v", got)
	}
}

func TestWeak(t *testing.T) {
	line := []Line{{Pattern: regexp.MustCompile("error"), Least: 1}}
	segv := []syscall.Signal{syscall.SIGSEGV}
	for want, all := range map[string][]Criteria{
		"": {{}, {Lines: line, Signals: segv}, {Output: regexp.MustCompile("(?m)^sum"), ExitCodes: []int{1}},
			{Output: regexp.MustCompile("[0-9]")}},
		"any output":                              {{Output: regexp.MustCompile("(?m).")}, {Output: regexp.MustCompile("")}},
		"any end with exit code 1-3":              {{ExitCodes: []int{1, 2, 3}}, {ExitCodes: []int{1, 2, 3}, Output: regexp.MustCompile(".*")}},
		"any death by SIGSEGV":                    {{Signals: segv}},
		"any candidate that does not end in time": {{Timeout: true}},
	} {
		for _, c := range all {
			if got := c.Weak(); got != want {
				t.Errorf("%s is %q, want %q", c, got, want)
			}
		}
	}
}
