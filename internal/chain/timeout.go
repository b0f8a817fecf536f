package chain

import (
	"runtime"
	"sync/atomic"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// Bounds of the time limit.
const (
	firstTimeout   = time.Minute      // before an interesting test
	leastTimeout   = 10 * time.Second // machines are busy
	highestTimeout = 10 * time.Minute
	leastProcessor = time.Second // independent of the load
)

// An AdaptiveTimeout limits tests without a limit to a multiple of the slowest interesting test,
// within bounds. It never decreases after an interesting test.
//
// Elapsed time depends on the load of the machine, so its lower bound is generous. Processor time
// hardly does, so its limit may be short; it ends endless loops.
//
// It is safe for concurrent use.
type AdaptiveTimeout struct {
	factor    float64
	elapsed   atomic.Int64 // time.Duration, largest of the interesting tests
	processor atomic.Int64 // the same
}

func (a *AdaptiveTimeout) before(spec oracle.Spec) oracle.Spec { return a.Limit(spec) }

func (a *AdaptiveTimeout) after(_ oracle.Spec, _ []byte, run oracle.Run) { a.Learn(run) }

// Learn takes the times of a test into account.
func (a *AdaptiveTimeout) Learn(run oracle.Run) {
	if run.Outcome == algo.Interesting {
		a.raise(run.Elapsed, run.Processor)
	}
}

// Limit returns spec with the present limits, unless it has a Timeout.
func (a *AdaptiveTimeout) Limit(spec oracle.Spec) oracle.Spec {
	if spec.Timeout != 0 {
		return spec
	}
	slowest := a.elapsed.Load()
	if slowest == 0 {
		spec.Timeout = firstTimeout
		return spec
	}
	spec.Timeout = min(max(a.times(slowest), leastTimeout), highestTimeout)
	spec.Processor = max(a.times(a.processor.Load()), leastProcessor)
	return spec
}

func (a *AdaptiveTimeout) times(n int64) time.Duration { return time.Duration(a.factor * float64(n)) }

func (a *AdaptiveTimeout) raise(elapsed, processor time.Duration) {
	raiseTo(&a.processor, int64(processor)) // Limit reads it last
	raiseTo(&a.elapsed, int64(elapsed))
}

// Resume continues with the slowest interesting test of an earlier run, and the highest possible
// processor time.
func (a *AdaptiveTimeout) Resume(slowest time.Duration) {
	a.raise(slowest, slowest*time.Duration(runtime.NumCPU()))
}

func raiseTo(number *atomic.Int64, n int64) {
	for {
		old := number.Load()
		if n <= old || number.CompareAndSwap(old, n) {
			return
		}
	}
}
