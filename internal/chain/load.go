package session

import (
	"sync"
	"time"
)

// A Load is what the tests of a session come to.
type Load struct {
	Busy  int           // tests that run
	Ended int           // tests that have ended, also in vain
	Time  time.Duration // that these took, together
	Where string        // where they run besides this machine; see [Session.Elsewhere]
}

// load counts tests.
type load struct {
	mu  sync.Mutex
	now Load
}

// begin counts a test until it has ended.
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

// Load returns what the tests have come to.
func (s *Session) Load() Load {
	s.load.mu.Lock()
	defer s.load.mu.Unlock()
	now := s.load.now
	now.Where = s.Elsewhere()
	return now
}
