package run

import (
	"strings"
	"testing"
	"time"

	"whittle"
	"whittle/internal/output"
	"whittle/oracle"
)

// Slow tests make whittle name a server once.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		program string
		pace    time.Duration
		want    string
	}{
		{"javac", 2 * time.Second, "  whittle server-script javac >Server.java\n  whittle reduce --server 'java "},
		{"javac", 100 * time.Millisecond, ""},
		{"gcc", 2 * time.Second, ""},
	} {
		clock := time.Unix(0, 0)
		s := &Run{
			Config: Config{Test: Test{Argv: []string{c.program, "{}"}, Inline: true}, Jobs: 1},
			Input:  &Input{Input: &output.Input{Paths: []string{"A.java"}}},
			Spec:   oracle.Spec{Argv: []string{"/bin/" + c.program, "{}"}},
		}
		s.Spec.Interesting.ExitCodes = []int{1}
		var slow slowStart
		var said []string
		for range 300 {
			if text := slow.decided(s, whittle.Decision{}, clock); text != "" {
				said = append(said, text)
			}
			clock = clock.Add(c.pace)
		}
		got := strings.Join(said, "\n")
		if !strings.Contains(got, c.want) || strings.Count(got, "server-script") != min(len(c.want), 1) {
			t.Errorf("%s every %v: %q, want %q", c.program, c.pace, got, c.want)
		}
		if c.want != "" && !strings.HasSuffix(got, "-- javac {}' A.java") {
			t.Errorf("%q has not the whole command", got)
		}
	}
}
