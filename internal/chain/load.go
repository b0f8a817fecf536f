package chain

import (
	"sync"
	"time"
)

// A Load counts the tests of a run.
type Load struct {
	Busy  int           // tests that run now
	Ended int           // tests that have ended, also with an error
	Time  time.Duration // that these took, together
	Where string        // other machines that run tests; see [whittle/internal/run.Run.Elsewhere]
}

type load struct {
	mu  sync.Mutex
	now Load
}

// begin counts a test until end is called.
func (l *load) begin() (end func()) {
	began := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.Busy++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.now.Busy--
		l.now.Ended++
		l.now.Time += time.Since(began)
	}
}

// Load returns the present load.
func (c *Chain) Load() Load {
	c.load.mu.Lock()
	defer c.load.mu.Unlock()
	return c.load.now
}
