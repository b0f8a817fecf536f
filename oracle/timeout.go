package oracle

import (
	"context"
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

	leastProcessor = time.Second // of processor time, which a busy machine does not take
)

// An AdaptiveTimeout gives tests that have no time limit one that adapts to them: Factor
// times what the slowest interesting test has taken, within bounds. It never gets
// shorter than it was after the first of them.
//
// It has two sides. The time on the wall depends on what else the machine does, so
// it has a generous lower bound. The time of processors that a test's processes have
// used together depends on the test alone, or nearly; it may be short, and ends
// what computes without end. It may be used from several goroutines.
type AdaptiveTimeout struct {
	Executor Executor
	Factor   float64

	slowest atomic.Int64 // interesting test, a time.Duration
	busiest atomic.Int64 // the same of processor time
}

// Run is that of an [Executor].
func (a *AdaptiveTimeout) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	run, err := a.Executor.Run(ctx, a.Limit(spec), candidate)
	if err == nil {
		a.Learn(run)
	}
	return run, err
}

// Learn is told how a test ended.
func (a *AdaptiveTimeout) Learn(run Run) {
	if run.Outcome == algo.Interesting {
		a.raise(run.Elapsed, run.Processor)
	}
}

// Limit returns spec with the limits that a test has from now on. What has a Timeout
// of its own keeps that.
func (a *AdaptiveTimeout) Limit(spec Spec) Spec {
	if spec.Timeout != 0 {
		return spec
	}
	slowest := a.slowest.Load()
	if slowest == 0 {
		spec.Timeout = firstTimeout
		return spec
	}
	spec.Timeout = min(max(a.times(slowest), leastTimeout), mostTimeout)
	spec.Processor = max(a.times(a.busiest.Load()), leastProcessor)
	return spec
}

func (a *AdaptiveTimeout) times(n int64) time.Duration { return time.Duration(a.Factor * float64(n)) }

func (a *AdaptiveTimeout) raise(elapsed, processor time.Duration) {
	raiseTo(&a.busiest, int64(processor)) // first, as Limit reads it last
	raiseTo(&a.slowest, int64(elapsed))
}

// Resume goes on from the slowest interesting test of an earlier run.
func (a *AdaptiveTimeout) Resume(slowest time.Duration) {
	a.raise(slowest, slowest*time.Duration(runtime.NumCPU())) // at most
}

// raiseTo makes a number no less than n.
func raiseTo(number *atomic.Int64, n int64) {
	for {
		old := number.Load()
		if n <= old || number.CompareAndSwap(old, n) {
			return
		}
	}
}
