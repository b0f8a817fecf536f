package whittle

import (
	"context"
	"errors"
	"sync"
)

// A Control steers a reduction while it runs, from any goroutine. The zero Control is ready for use by one Reduce. Only
// Skip changes the questions of the search and so the result.
type Control struct {
	mu     sync.Mutex
	wake   chan struct{} // buffered(1); receives when SetJobs changes the limit
	jobs   int           // 0 means Options.Jobs
	paused chan struct{} // closed when the pause ends; nil without a pause
	skip   context.CancelCauseFunc
}

var errSkipped = errors.New("the pass was skipped")

// Skip ends the running pass with its result so far, which is not complete.
func (c *Control) Skip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.skip != nil {
		c.skip(errSkipped)
	}
}

// Pause keeps new tests from starting until Resume. Running tests and the time limit continue.
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

// SetJobs changes the number of parallel tests, at least 1.
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

// woken is called with the lock.
func (c *Control) woken() chan struct{} {
	if c.wake == nil {
		c.wake = make(chan struct{}, 1)
	}
	return c.wake
}

func (c *Control) waker() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.woken()
}

// steer waits for the end of a pause. It returns the number of parallel tests; 0 means unchanged.
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
