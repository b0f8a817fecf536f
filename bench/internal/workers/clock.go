// Package workers simulates reductions with many workers. The searches are real; their clock
// stops while whittle computes.
package workers

import (
	"context"
	"slices"
	"sync"
	"time"

	"whittle/algo"
)

// A Clock simulates the duration of tests for a search with any number of workers. Its time
// advances only while the search waits for tests, to the end of the first test. All tests with
// that end finish before others start.
//
// [Clock.Property] and [Clock.Waiting] serve one reduction; see [search.WithClock]. A cancelled
// test frees its worker at once. Questions and simulated times do not depend on real time.
type Clock struct {
	// Ask returns the outcome of a test and its real duration. Unless Lasts is nil, it is not
	// called for cancelled tests.
	Ask func(ctx context.Context, candidate []byte) (algo.Outcome, time.Duration, error)
	// Lasts returns the simulated duration of a test. nil means the duration that Ask returns.
	Lasts func(candidate []byte) time.Duration
	// Asks is the maximum number of concurrent calls of Ask, at least 1.
	Asks int

	mu      sync.Mutex
	arrived sync.Cond
	tests   []*test // running
	now     time.Duration
	busy    time.Duration
}

// A test is a running test.
type test struct {
	ctx       context.Context
	candidate []byte
	asked     bool // the outcome is set
	ends      time.Duration
	outcome   algo.Outcome
	err       error
	ended     chan struct{}
}

// NewClock returns a clock at time 0.
func NewClock(ask func(context.Context, []byte) (algo.Outcome, time.Duration, error), asks int) *Clock {
	c := &Clock{Ask: ask, Asks: max(asks, 1)}
	c.arrived.L = &c.mu
	return c
}

// Now returns the simulated time.
func (c *Clock) Now() time.Duration { return c.now }

// Busy returns the total working time of all workers.
func (c *Clock) Busy() time.Duration { return c.busy }

// Property runs a test in simulated time.
func (c *Clock) Property(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	t := &test{ctx: ctx, candidate: candidate, ended: make(chan struct{})}
	c.mu.Lock()
	if c.Lasts != nil {
		t.ends = c.now + c.Lasts(candidate)
	}
	c.tests = append(c.tests, t)
	c.arrived.Signal()
	c.mu.Unlock()
	<-t.ended
	return t.outcome, t.err
}

// Waiting advances the time until tests end and returns their number. Cancelled tests end first,
// without advancing the time.
func (c *Clock) Waiting(running int) (ending int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.tests) < running {
		c.arrived.Wait()
	}
	if gone := c.remove(func(t *test) bool { return t.ctx.Err() != nil }); len(gone) > 0 {
		for _, t := range gone {
			t.err = t.ctx.Err()
			close(t.ended)
		}
		return len(gone)
	}
	if c.Lasts == nil {
		c.ask(c.tests)
	}
	next := slices.MinFunc(c.tests, func(a, b *test) int { return int(a.ends - b.ends) }).ends
	c.busy += (next - c.now) * time.Duration(len(c.tests))
	c.now = next
	ended := c.remove(func(t *test) bool { return t.ends == next })
	c.ask(ended)
	for _, t := range ended {
		close(t.ended)
	}
	return len(ended)
}

// remove removes and returns running tests.
func (c *Clock) remove(which func(*test) bool) (removed []*test) {
	c.tests = slices.DeleteFunc(c.tests, func(t *test) bool {
		if which(t) {
			removed = append(removed, t)
			return true
		}
		return false
	})
	return removed
}

// ask calls Ask for tests without an outcome.
func (c *Clock) ask(tests []*test) {
	var asking sync.WaitGroup
	free := make(chan struct{}, c.Asks)
	for _, t := range tests {
		if t.asked {
			continue
		}
		t.asked = true
		free <- struct{}{}
		asking.Go(func() {
			var lasts time.Duration
			t.outcome, lasts, t.err = c.Ask(t.ctx, t.candidate)
			if c.Lasts == nil {
				t.ends = c.now + max(lasts, time.Millisecond)
			}
			<-free
		})
	}
	asking.Wait()
}
