package chain

import (
	"runtime"
	"sync"
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
	processFactor  = 2           // for the busiest process
)

// An AdaptiveTimeout limits tests to a multiple of the slowest interesting test, within bounds.
// It is safe for concurrent use.
//
// Elapsed time depends on the load of the machine, so its lower bound is generous. Processor time hardly does; its
// short limits end endless loops. The limit of one process ends those in a program that a long build makes.
type AdaptiveTimeout struct {
	factor float64

	mu                 sync.Mutex
	elapsed, processor time.Duration // largest of the interesting tests
	longest            time.Duration // processor time of the busiest process of these tests
}

// Learn takes the times of a test into account.
func (a *AdaptiveTimeout) Learn(run oracle.Run) {
	if run.Outcome == algo.Interesting {
		a.raise(run.Elapsed, run.Processor, run.Longest)
	}
}

// Limit returns spec with the present limits, unless it has a Timeout.
func (a *AdaptiveTimeout) Limit(spec oracle.Spec) oracle.Spec {
	if spec.Timeout != 0 {
		return spec
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.elapsed == 0 {
		spec.Timeout = firstTimeout
		return spec
	}
	spec.Timeout = min(max(a.times(a.elapsed), leastTimeout), highestTimeout)
	spec.Processor = max(a.times(a.processor), leastProcessor)
	spec.Process = leastProcessor + processFactor*a.longest
	return spec
}

func (a *AdaptiveTimeout) times(d time.Duration) time.Duration {
	return time.Duration(a.factor * float64(d))
}

func (a *AdaptiveTimeout) raise(elapsed, processor, longest time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.elapsed, a.processor = max(a.elapsed, elapsed), max(a.processor, processor)
	a.longest = max(a.longest, longest)
}

// Resume continues with the slowest interesting test of an earlier run.
func (a *AdaptiveTimeout) Resume(slowest time.Duration) {
	used := slowest * time.Duration(runtime.NumCPU())
	a.raise(slowest, used, used)
}
