package chain

import (
	"sync"
	"time"
)

// A Load counts the tests of a run.
type Load struct {
	Busy  int           // running tests
	Ended int           // ended tests, also with an error
	Time  time.Duration // their total time
	Where string        // see [whittle/internal/run.Run.Elsewhere]
}

type load struct {
	mu  sync.Mutex
	now Load
}

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
