package chain

import (
	"context"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

type ended struct {
	run  oracle.Run
	spec oracle.Spec
}

func (e *ended) Run(_ context.Context, spec oracle.Spec, _ []byte) (oracle.Run, error) {
	e.spec = spec
	return e.run, nil
}

func TestAdaptiveTimeout(t *testing.T) {
	e := &ended{}
	a := &observed{e, &AdaptiveTimeout{factor: 10}, &slippage{}}
	for i, s := range []struct {
		outcome                     algo.Outcome
		elapsed, used, longest      time.Duration
		timeout, processor, process time.Duration
	}{
		{algo.Uninteresting, time.Hour, time.Hour, time.Hour, time.Minute, 0, 0},
		{algo.Interesting, 10 * time.Millisecond, 0, 0, 10 * time.Second, time.Second, time.Second},
		{algo.Interesting, 3 * time.Second, time.Second, time.Second, 30 * time.Second, 10 * time.Second, 3 * time.Second},
		{algo.Interesting, time.Second, 2 * time.Second, 0, 30 * time.Second, 20 * time.Second, 3 * time.Second},
		{algo.Unresolved, 10 * time.Second, time.Hour, time.Hour, 30 * time.Second, 20 * time.Second, 3 * time.Second},
		{algo.Interesting, time.Hour, time.Minute, 9 * time.Second, 10 * time.Minute, 10 * time.Minute, 19 * time.Second},
	} {
		e.run = oracle.Run{Outcome: s.outcome, Elapsed: s.elapsed, Processor: s.used, Longest: s.longest}
		a.Run(t.Context(), oracle.Spec{}, nil)
		a.Run(t.Context(), oracle.Spec{}, nil)
		if e.spec.Timeout != s.timeout || e.spec.Processor != s.processor || e.spec.Process != s.process {
			t.Errorf("after step %d the limits are %v, %v and %v, want %v, %v and %v",
				i, e.spec.Timeout, e.spec.Processor, e.spec.Process, s.timeout, s.processor, s.process)
		}
		a.Run(t.Context(), oracle.Spec{Timeout: time.Second}, nil)
		if e.spec.Timeout != time.Second || e.spec.Processor+e.spec.Process != 0 {
			t.Errorf("a limit of its own became %v, %v and %v", e.spec.Timeout, e.spec.Processor, e.spec.Process)
		}
	}
}

// A test that waits much longer than the input is ended, however slow a loaded machine made others.
func TestWaitingLimit(t *testing.T) {
	a := &AdaptiveTimeout{factor: 10}
	for _, s := range []struct{ elapsed, waited, idle time.Duration }{
		{16 * time.Second, 300 * time.Millisecond, 10 * time.Second},
		{16 * time.Second, 3 * time.Second, 30 * time.Second},
		{time.Second, 0, 30 * time.Second},
	} {
		a.Learn(oracle.Run{Outcome: algo.Interesting, Elapsed: s.elapsed, Waited: s.waited})
		if got := a.Limit(oracle.Spec{}); got.Idle != s.idle || got.Timeout != 160*time.Second {
			t.Errorf("after a wait of %v the limits are %v and %v", s.waited, got.Idle, got.Timeout)
		}
	}
	if a.Patient(oracle.Spec{}).Idle != 0 {
		t.Error("tests before may have been hasty")
	}
	a.Resume(20 * time.Second)
	if got := a.Limit(oracle.Spec{}); got.Idle != 200*time.Second {
		t.Errorf("after a resumed run the limit is %v", got.Idle)
	}
}

// A test whose output is kept runs to its end, so the times of hasty ones are no measure.
func TestPatientTimeout(t *testing.T) {
	e := &ended{run: oracle.Run{Outcome: algo.Interesting, Elapsed: time.Second, Processor: time.Second}}
	a := &observed{e, &AdaptiveTimeout{factor: 10}, &slippage{}}
	for _, keeps := range []bool{false, false, true} {
		a.Run(t.Context(), oracle.Spec{KeepOutput: keeps}, nil)
		if limited := e.spec.Processor > 0; e.spec.Hasty == keeps || limited && keeps {
			t.Errorf("output is kept: %t, hasty %t, limits %v, %v", keeps, e.spec.Hasty, e.spec.Timeout, e.spec.Processor)
		}
	}
	if e.spec.Timeout != time.Minute {
		t.Errorf("limit %v", e.spec.Timeout)
	}
}

// The limits of processor time follow the last tests, and grow again for larger files.
func TestLimitsShrink(t *testing.T) {
	a := &AdaptiveTimeout{factor: 10}
	limits := func(want, process time.Duration) {
		t.Helper()
		if s := a.Limit(oracle.Spec{}); s.Processor != want || s.Process != process || s.Timeout != 5*time.Minute {
			t.Errorf("the limits are %v, %v and %v, want %v and %v", s.Timeout, s.Processor, s.Process, want, process)
		}
	}
	learn := func(elapsed, used time.Duration) {
		a.Learn(oracle.Run{Outcome: algo.Interesting, Elapsed: elapsed, Processor: used, Longest: used / 2})
	}
	learn(30*time.Second, 20*time.Second)
	for range 2 * recentTests {
		learn(time.Second, time.Second)
	}
	limits(200*time.Second, 21*time.Second)
	a.Shrink(true)
	for range recentTests {
		limits(200*time.Second, 21*time.Second)
		learn(time.Second, time.Second)
	}
	limits(10*time.Second, 2*time.Second)
	learn(time.Second, 2*time.Second)
	limits(20*time.Second, 3*time.Second)
	a.Shrink(true)
	limits(200*time.Second, 21*time.Second)
}
