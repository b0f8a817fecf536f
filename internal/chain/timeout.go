package chain

import (
	"cmp"
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
	trialTimeout   = 30 * time.Second
	leastProcessor = time.Second // independent of the load
	processFactor  = 2           // for the busiest process
	recentTests    = 16          // that determine the limits of processor time

	// A command that uses no processor time for so long hangs. Programs of a project may wait for each other.
	idleLimit = 15 * time.Second
	longIdle  = 2 * time.Minute
)

// First returns spec with the limits of a command that may hang, unless it has a Timeout. A long command is that of a
// project: a build that computes for minutes is no hang.
func (a *AdaptiveTimeout) First(spec oracle.Spec, long bool) oracle.Spec {
	if spec.Timeout != 0 {
		return spec
	}
	spec = a.Limit(spec)
	spec.Idle = idleLimit
	if long {
		spec.Timeout, spec.Idle = highestTimeout, longIdle
	}
	return spec
}

var hangs = []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second}

// Trial returns spec with the limits of a comparison. The first look at a command need not be repeated.
func Trial(spec oracle.Spec, isFirstLook bool) oracle.Spec {
	if isFirstLook {
		return new(AdaptiveTimeout).First(spec, false)
	}
	spec.Timeout = min(cmp.Or(spec.Timeout, trialTimeout), trialTimeout)
	return spec
}

// A Hang has the limits of tests that look for a hang; both are 0 for other failures. Idle may be 0.
type Hang struct{ Limit, Idle time.Duration }

// HangOf returns the limits for a hang: multiples of the times of other files, at most a limit of the user's. A hang
// that waits shows soon, also if a loaded machine makes all files slow.
func HangOf(hang oracle.Run, others []oracle.Run, most time.Duration) (h Hang) {
	var slowest, waited time.Duration
	for _, r := range others {
		slowest, waited = max(slowest, r.Elapsed), max(waited, r.Waited)
	}
	if h.Limit = multiple(slowest); most > 0 {
		h.Limit = min(h.Limit, most)
	}
	if idle := multiple(waited); hang.Waited > hang.Elapsed/2 && idle < h.Limit {
		h.Idle = idle
	}
	return h
}

func multiple(of time.Duration) time.Duration {
	for _, limit := range hangs {
		if limit >= 20*of {
			return limit
		}
	}
	return time.Minute
}

// Or returns limits for either hang.
func (h Hang) Or(i Hang) Hang { return Hang{max(h.Limit, i.Limit), max(h.Idle, i.Idle)} }

// An AdaptiveTimeout limits tests to a multiple of the slowest interesting test, within bounds.
// It is safe for concurrent use.
//
// Elapsed time depends on the load of the machine, so its lower bound is generous. Processor time hardly does; its
// short limits end endless loops. The limit of one process ends those in a program that a long build makes. Smaller
// files take less time, so limits of processor time can shrink. A test that waits uses no processor, so its limit is a
// multiple of the longest wait.
type AdaptiveTimeout struct {
	factor float64

	mu      sync.Mutex
	elapsed time.Duration // largest of the interesting tests
	waited  time.Duration // likewise
	most    usage         // likewise
	shrinks bool
	recent  []usage // of the last interesting tests
}

// A usage is the processor time of all processes of a test, and of the busiest one.
type usage struct{ processor, longest time.Duration }

func (u usage) max(v usage) usage {
	return usage{max(u.processor, v.processor), max(u.longest, v.longest)}
}

// Shrink lets limits of processor time shrink, from now on. Without it they only grow: tests in kept builds and clean
// ones differ.
func (a *AdaptiveTimeout) Shrink(shrinks bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shrinks, a.recent = shrinks, nil
}

// Learn takes the times of a test into account.
func (a *AdaptiveTimeout) Learn(run oracle.Run) {
	if run.Outcome == algo.Interesting {
		a.learn(run.Elapsed, run.Waited, usage{run.Processor, run.Longest})
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
	spec.Idle = max(a.times(a.waited), leastTimeout)
	use := a.most
	if a.shrinks && len(a.recent) == recentTests {
		use = usage{}
		for _, u := range a.recent {
			use = use.max(u)
		}
	}
	spec.Processor = max(a.times(use.processor), leastProcessor)
	spec.Process = leastProcessor + processFactor*use.longest
	return spec
}

// Patient returns spec with a limit for a test that runs to its end. The tests before may have been hasty.
func (a *AdaptiveTimeout) Patient(spec oracle.Spec) oracle.Spec {
	if spec.Timeout == 0 {
		spec.LimitTime(max(a.Limit(spec).Timeout, firstTimeout))
	}
	return spec
}

func (a *AdaptiveTimeout) times(d time.Duration) time.Duration {
	return time.Duration(a.factor * float64(d))
}

func (a *AdaptiveTimeout) learn(elapsed, waited time.Duration, use usage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.elapsed, a.waited, a.most = max(a.elapsed, elapsed), max(a.waited, waited), a.most.max(use)
	a.recent = append(a.recent[max(0, len(a.recent)+1-recentTests):], use)
}

// Resume continues with the slowest interesting test of an earlier run.
func (a *AdaptiveTimeout) Resume(slowest time.Duration) {
	used := slowest * time.Duration(runtime.NumCPU())
	a.learn(slowest, slowest, usage{used, used})
}
