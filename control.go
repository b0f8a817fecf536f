package whittle

import (
	"context"
	"errors"
	"sync"
)

// A Control steers a reduction while it runs: it is for people who watch, and may be used
// from any goroutine at any time. The zero Control is ready to be used, for one Reduce.
//
// Invariant: one that nobody uses changes nothing. What is asked, and so what comes out,
// depends on Skip alone.
type Control struct {
	mu     sync.Mutex
	wake   chan struct{} // has one if jobs has changed
	jobs   int           // 0 is those of Options
	paused chan struct{} // closed when the pause ends; nil if there is none
	skip   context.CancelCauseFunc
}

// errSkipped says that the user wants the next pass.
var errSkipped = errors.New("the pass was skipped")

// Skip ends the pass that runs, if there is one, with what it has come to; the next one
// begins. A result after it is not complete.
func (c *Control) Skip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.skip != nil {
		c.skip(errSkipped)
	}
}

// Pause has no more tests started until Resume. Those that run go on; so does the time.
func (c *Control) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused == nil {
		c.paused = make(chan struct{})
	}
}

// Resume ends a pause.
func (c *Control) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused != nil {
		close(c.paused)
		c.paused = nil
	}
}

// SetJobs changes the number of tests at once, at least 1.
func (c *Control) SetJobs(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n = max(n, 1); n != c.jobs {
		c.jobs = n
		select {
		case c.woken() <- struct{}{}:
		default:
		}
	}
}

// woken returns what tells of new jobs. The caller holds the lock.
func (c *Control) woken() chan struct{} {
	if c.wake == nil {
		c.wake = make(chan struct{}, 1)
	}
	return c.wake
}

// waker returns what tells a search of new jobs.
func (c *Control) waker() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.woken()
}

// steer waits while there is a pause. It returns the number of tests at once; 0 if
// nobody has changed it.
func (c *Control) steer(ctx context.Context) int {
	for {
		c.mu.Lock()
		jobs, paused := c.jobs, c.paused
		c.mu.Unlock()
		if paused == nil {
			return jobs
		}
		select {
		case <-paused:
		case <-ctx.Done():
			return jobs
		}
	}
}

// skippable returns a context that Skip ends, until done.
func (c *Control) skippable(ctx context.Context) (_ context.Context, done func()) {
	if c == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c.set(cancel)
	return ctx, func() {
		c.set(nil)
		cancel(nil)
	}
}

func (c *Control) set(skip context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skip = skip
}
