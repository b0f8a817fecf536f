// Package workers simulates reductions with many workers: real searches, by a clock that
// stands still while whittle computes.
package workers

import (
	"context"
	"slices"
	"sync"
	"time"

	"whittle/algo"
)

// A Clock is what tests last by. Its time is that of a search which has as many workers as
// it wants: it goes on only while the search waits for tests, to the end of the first of
// them. All tests that end at that time are known before others are started.
//
// [Clock.Property] and [Clock.Waiting] are for one reduction; see [search.WithClock]. A test
// that is cancelled frees its worker at once. The questions and their simulated times do not
// depend on real time.
type Clock struct {
	// Ask says what the outcome of a test is, and how long it lasts in reality. It is called
	// for tests that end only, not for those that are cancelled before, unless Lasts is nil.
	Ask func(ctx context.Context, candidate []byte) (algo.Outcome, time.Duration, error)
	// Lasts is how long a test is to last; nil is as Ask says.
	Lasts func(candidate []byte) time.Duration
	// Asks is how many may be asked at once, at least 1.
	Asks int

	mu      sync.Mutex
	arrived sync.Cond
	tests   []*test // that run
	now     time.Duration
	busy    time.Duration
}

// test is one that runs.
type test struct {
	ctx       context.Context
	candidate []byte
	asked     bool // what comes of it is known
	ends      time.Duration
	outcome   algo.Outcome
	err       error
	ended     chan struct{}
}

// NewClock returns a clock that begins at 0.
func NewClock(ask func(context.Context, []byte) (algo.Outcome, time.Duration, error), asks int) *Clock {
	c := &Clock{Ask: ask, Asks: max(asks, 1)}
	c.arrived.L = &c.mu
	return c
}

// Now is the time by the clock.
func (c *Clock) Now() time.Duration { return c.now }

// Busy is how long workers have worked, all together.
func (c *Clock) Busy() time.Duration { return c.busy }

// Property runs a test by the clock.
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

// Waiting lets the time go on until tests end, and returns how many. If any have been
// cancelled it is these, now.
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

// remove removes tests from those that run.
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

// ask finds out what comes of tests.
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
