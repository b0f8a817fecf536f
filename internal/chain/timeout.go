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
	firstTimeout   = time.Minute      // until a test was interesting
	leastTimeout   = 10 * time.Second // machines are busy
	highestTimeout = 10 * time.Minute
	leastProcessor = time.Second // processor time does not depend on the load of the machine
)

// An AdaptiveTimeout is the time limit of tests whose Spec has none: a multiple of the slowest
// interesting test, within bounds. It never gets shorter once a test was interesting.
//
// It limits two times. The elapsed time depends on the load of the machine, so it has a
// generous lower bound. The processor time of all processes of a test hardly does, so its
// limit may be short; it ends endless loops.
//
// It may be used from several goroutines.
type AdaptiveTimeout struct {
	factor    float64
	elapsed   atomic.Int64 // of the slowest interesting test, a time.Duration
	processor atomic.Int64 // of the interesting test that used most, a time.Duration
}

func (a *AdaptiveTimeout) before(spec oracle.Spec) oracle.Spec { return a.Limit(spec) }

func (a *AdaptiveTimeout) after(_ oracle.Spec, _ []byte, run oracle.Run) { a.Learn(run) }

// Learn takes the times of a test into account.
func (a *AdaptiveTimeout) Learn(run oracle.Run) {
	if run.Outcome == algo.Interesting {
		a.raise(run.Elapsed, run.Processor)
	}
}

// Limit returns spec with the present limits, unless it has a Timeout already.
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
	raiseTo(&a.processor, int64(processor)) // first, as Limit reads it last
	raiseTo(&a.elapsed, int64(elapsed))
}

// Resume continues with the slowest interesting test of an earlier run. Its processor time is
// unknown and taken as the highest possible.
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
