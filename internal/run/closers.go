package run

import (
	"slices"
	"sync"
)

// closers close what was opened. They may be used from several goroutines, as what does not
// listen to its context is left behind while it opens something.
type closers struct {
	mu     sync.Mutex
	all    []func()
	closed bool
}

// Later has something closed at the end; at once, if that was before.
func (c *closers) Later(closer func()) {
	c.mu.Lock()
	closed := c.closed
	if !closed {
		c.all = append(c.all, closer)
	}
	c.mu.Unlock()
	if closed {
		closer()
	}
}

// Close closes all that was opened, the last first.
func (c *closers) Close() {
	c.mu.Lock()
	all := c.all
	c.all, c.closed = nil, true
	c.mu.Unlock()
	for _, closer := range slices.Backward(all) {
		closer()
	}
}
