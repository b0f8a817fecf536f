package run

import (
	"strings"
	"testing"
	"time"

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
		var said []string
		s := &Run{
			Config: Config{Test: Test{Argv: []string{c.program, "{}"}, Inline: true}, Jobs: 1, Warn: func(text string) {
				said = append(said, text)
			}},
			Input: &Input{Input: &output.Input{Paths: []string{"A.java"}}},
			Spec:  oracle.Spec{Argv: []string{"/bin/" + c.program, "{}"}},
		}
		s.Spec.Interesting.ExitCodes = []int{1}
		for range 300 {
			if s.pace.Slow(s.Jobs, clock) {
				s.recommendServer()
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
