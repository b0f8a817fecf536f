package run

import (
	"fmt"
	"time"

	"whittle/oracle"
)

// Retry says what becomes of tests that nobody knows the end of.
type Retry struct {
	Exits    []int         // exit codes of a test that say that it was not tested
	Patience time.Duration // how long it is asked again; 0 is a default
}

// patience is how long a test is asked again that could not be tested.
const patience = 10 * time.Minute

// firstPause is the first between two attempts of one.
const firstPause = time.Second

// attempts is how often a test is run, at most, that an executor of this machine loses.
const attempts = 5

// loser puts around an executor what takes some exit codes for no answer.
func (s *Run) loser(executor oracle.Executor) oracle.Executor {
	if len(s.Retry.Exits) == 0 {
		return executor
	}
	return &oracle.Loser{Executor: executor, Codes: s.Retry.Exits}
}

// retry puts around an executor what asks again about what it has lost.
func (s *Run) retry(executor oracle.Executor) oracle.Executor {
	if len(s.Retry.Exits) == 0 {
		return &oracle.Retry{Executor: executor, Times: attempts}
	}
	long := s.Retry.Patience
	if long == 0 {
		long = patience
	}
	return &oracle.Retry{Executor: executor, Pause: firstPause, Patience: long, Waits: s.waits}
}

// waits tells once what a test was lost by: many may wait at once, and for long.
func (s *Run) waits(lost error, _ time.Duration) {
	s.lost.Do(func() { s.Warn(fmt.Sprintf("%v; asking again, with pauses", lost)) })
}
