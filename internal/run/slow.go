package run

import (
	"fmt"
	"slices"
	"time"

	"whittle"
	"whittle/internal/serverscript"
	"whittle/internal/shell"
)

// slowStart recommends a test server, once, if the command starts slowly.
type slowStart struct {
	began time.Time
	tests int
	done  bool
}

// A run is slow with less than one test per second and job after slowAfter.
const (
	slowAfter = 20 * time.Second
	slowTests = 5
)

func (s *slowStart) decided(r *Run, d whittle.Decision, now time.Time) string {
	if s.done || d.Replayed {
		return ""
	}
	if s.tests++; s.tests == 1 {
		s.began = now
	}
	elapsed := now.Sub(s.began)
	if s.tests < slowTests || elapsed < slowAfter || float64(s.tests) >= elapsed.Seconds()*float64(r.Jobs) {
		return ""
	}
	s.done = true
	return r.serverCommands()
}

func (r *Run) serverCommands() string {
	if !r.Test.Inline || r.Input.Set != nil || r.Cluster() != nil || r.Turn != nil {
		return ""
	}
	words := slices.Concat(r.Test.Argv[:1], r.Spec.Argv[1:])
	script, command, ok := serverscript.Command(words, r.Spec.Interesting)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s is slow to start; a test server starts it once:\n  whittle server-script %s >%s\n"+
		"  whittle reduce --server %s %s", words[0], script.Name, script.File, shell.Quote(command),
		shell.Quote(r.Input.Paths[0]))
}
