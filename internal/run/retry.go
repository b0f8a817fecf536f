package run

import (
	"fmt"
	"time"
)

// waits warns once of a lost test: many may wait at the same time, and for long.
func (s *Run) waits(lost error, _ time.Duration) {
	s.lost.Do(func() { s.Warn(fmt.Sprintf("%v; asking again, with pauses", lost)) })
}
