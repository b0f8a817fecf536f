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

// A trial is short, or has the limits of a first look.
func TestTrial(t *testing.T) {
	for _, c := range []struct {
		limit, first, other, idle time.Duration
	}{{0, time.Minute, 30 * time.Second, 15 * time.Second}, {time.Second, time.Second, time.Second, 0},
		{time.Hour, time.Hour, 30 * time.Second, 0}} {
		first, other := Trial(oracle.Spec{Timeout: c.limit}, true), Trial(oracle.Spec{Timeout: c.limit}, false)
		if first.Timeout != c.first || first.Idle != c.idle || other.Timeout != c.other || other.Idle != 0 {
			t.Errorf("%v: %v, %v and %v, %v", c.limit, first.Timeout, first.Idle, other.Timeout, other.Idle)
		}
	}
}

// The limits of a hang are multiples of the times of other files. One that waits has a limit for that, and a limit of
// the user's holds.
func TestHang(t *testing.T) {
	const s = time.Second
	others := []oracle.Run{{Elapsed: s / 10}, {Elapsed: 2 * s, Waited: s / 5}}
	for _, c := range []struct {
		elapsed, waited, most time.Duration
		want                  Hang
	}{
		{60 * s, s, 0, Hang{Limit: 60 * s}},
		{60 * s, s, 6 * s, Hang{Limit: 6 * s}},
		{17 * s, 15 * s, 0, Hang{60 * s, 5 * s}},
		{6 * s, 4 * s, 6 * s, Hang{6 * s, 5 * s}},
		{5 * s, 4 * s, 5 * s, Hang{Limit: 5 * s}},
	} {
		if got := HangOf(oracle.Run{Elapsed: c.elapsed, Waited: c.waited}, others, c.most); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := (Hang{5 * s, 0}).Or(Hang{2 * s, 3 * s}); got != (Hang{5 * s, 3 * s}) {
		t.Errorf("either hang: %v", got)
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
