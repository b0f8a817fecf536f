package advice

import (
	"fmt"
	"slices"
	"time"

	"whittle"
	"whittle/internal/run"
	"whittle/internal/serverscript"
	"whittle/internal/shell"
)

// Slow says once that a test server would start less often, where tests are slow to start.
type Slow struct {
	Session *run.Run
	Now     func() time.Time

	began time.Time
	tests int
	told  bool
}

// A run is slow that after a while has come to less than one test a second and job.
const (
	slowAfter = 20 * time.Second
	slowTests = 5
)

// Decided takes note of a candidate. It returns a message, or "".
func (s *Slow) Decided(d whittle.Decision) string {
	if s.told || d.Replayed {
		return ""
	}
	if s.tests++; s.tests == 1 {
		s.began = s.Now()
	}
	elapsed := s.Now().Sub(s.began)
	if s.tests < slowTests || elapsed < slowAfter || float64(s.tests) >= elapsed.Seconds()*float64(s.Session.Jobs) {
		return ""
	}
	s.told = true
	return serverLines(s.Session)
}

// serverLines names the commands that reduce by a test server; "" if there is none for the
// command of the test.
func serverLines(s *run.Run) string {
	if !s.Test.Inline || s.Input.Set != nil || s.Cluster() != nil {
		return ""
	}
	words := slices.Concat(s.Test.Argv[:1], s.Spec.Argv[1:])
	script, command, ok := serverscript.Command(words, s.Spec.Interesting)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s is slow to start; a test server starts it once:\n  whittle server-script %s >%s\n"+
		"  whittle reduce --server %s %s", words[0], script.Name, script.File, shell.Quote(command),
		shell.Quote(s.Input.Paths[0]))
}
