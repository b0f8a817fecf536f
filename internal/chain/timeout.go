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
)

// An AdaptiveTimeout limits tests to a multiple of the slowest interesting test, within bounds.
// It is safe for concurrent use.
//
// Elapsed time depends on the load of the machine, so its lower bound is generous. Processor time
// hardly does; its short limit ends endless loops.
type AdaptiveTimeout struct {
	factor float64

	mu                 sync.Mutex
	elapsed, processor time.Duration // largest of the interesting tests
}

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
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.elapsed == 0 {
		spec.Timeout = firstTimeout
		return spec
	}
	spec.Timeout = min(max(a.times(a.elapsed), leastTimeout), highestTimeout)
	spec.Processor = max(a.times(a.processor), leastProcessor)
	return spec
}

func (a *AdaptiveTimeout) times(d time.Duration) time.Duration {
	return time.Duration(a.factor * float64(d))
}

func (a *AdaptiveTimeout) raise(elapsed, processor time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.elapsed, a.processor = max(a.elapsed, elapsed), max(a.processor, processor)
}

// Resume continues with the slowest interesting test of an earlier run.
func (a *AdaptiveTimeout) Resume(slowest time.Duration) {
	a.raise(slowest, slowest*time.Duration(runtime.NumCPU()))
}
