package oracle

import (
	"sync/atomic"
	"time"

	"whittle/algo"
)

// The bounds of the time limit that adapts.
const (
	firstTimeout = time.Minute      // as long as no test was interesting
	leastTimeout = 10 * time.Second // machines are busy
	mostTimeout  = 10 * time.Minute
)

// Patience is a time limit that adapts to the tests: Factor times what the
// slowest interesting test has taken, within bounds. It never gets shorter than
// it was after the first of them. It may be used from several goroutines.
type Patience struct {
	Factor  float64
	slowest atomic.Int64 // interesting test, a time.Duration
}

// Limit gives the time that a test may take.
func (p *Patience) Limit() time.Duration {
	slowest := p.slowest.Load()
	if slowest == 0 {
		return firstTimeout
	}
	return min(max(time.Duration(p.Factor*float64(slowest)), leastTimeout), mostTimeout)
}

// Took tells what a test took.
func (p *Patience) Took(outcome algo.Outcome, elapsed time.Duration) {
	if outcome != algo.Interesting {
		return
	}
	for {
		slowest := p.slowest.Load()
		if int64(elapsed) <= slowest || p.slowest.CompareAndSwap(slowest, int64(elapsed)) {
			return
		}
	}
}
