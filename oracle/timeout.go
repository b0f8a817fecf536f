package oracle

import (
	"runtime"
	"sync/atomic"
	"time"

	"whittle/algo"
)

// The bounds of the time limit that adapts.
const (
	firstTimeout = time.Minute      // as long as no test was interesting
	leastTimeout = 10 * time.Second // machines are busy
	mostTimeout  = 10 * time.Minute

	leastProcessor = 2 * time.Second // of processor time, which a busy machine does not take
)

// AdaptiveTimeout is a time limit that adapts to the tests: Factor times what the
// slowest interesting test has taken, within bounds. It never gets shorter than
// it was after the first of them.
//
// It has two sides. The time on the wall depends on what else the machine does, so
// it has a generous lower bound. The time of processors that a test's processes have
// used together depends on the test alone, or nearly; it may be short, and ends
// what computes without end. It may be used from several goroutines.
type AdaptiveTimeout struct {
	Factor  float64
	slowest atomic.Int64 // interesting test, a time.Duration
	busiest atomic.Int64 // the same of processor time
}

// Limit gives the time that a test may take.
func (p *AdaptiveTimeout) Limit() time.Duration {
	slowest := p.slowest.Load()
	if slowest == 0 {
		return firstTimeout
	}
	return min(max(p.times(slowest), leastTimeout), mostTimeout)
}

// Processor gives the processor time that the processes of a test may use
// together, 0 for any.
func (p *AdaptiveTimeout) Processor() time.Duration {
	if p.slowest.Load() == 0 {
		return 0
	}
	return max(p.times(p.busiest.Load()), leastProcessor)
}

func (p *AdaptiveTimeout) times(n int64) time.Duration { return time.Duration(p.Factor * float64(n)) }

// Took tells what a test took, and what it took of processors.
func (p *AdaptiveTimeout) Took(outcome algo.Outcome, elapsed, processor time.Duration) {
	if outcome == algo.Interesting {
		raise(&p.busiest, int64(processor)) // first, as Processor has it
		raise(&p.slowest, int64(elapsed))
	}
}

// Resume goes on from the slowest interesting test of an earlier run.
func (p *AdaptiveTimeout) Resume(slowest time.Duration) {
	most := slowest * time.Duration(runtime.NumCPU()) // that it can have used
	p.Took(algo.Interesting, slowest, most)
}

// raise makes a number no less than n.
func raise(number *atomic.Int64, n int64) {
	for {
		old := number.Load()
		if n <= old || number.CompareAndSwap(old, n) {
			return
		}
	}
}
