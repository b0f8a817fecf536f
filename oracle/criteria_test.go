package oracle

import (
	"regexp"
	"slices"
	"syscall"
	"testing"
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
