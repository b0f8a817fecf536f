package process

import (
	"sync"
	"time"
)

// A pause is the time that all tests were stopped, as by a user who stops whittle.
type pause struct {
	mu    sync.Mutex
	all   time.Duration // of the times before
	since time.Time     // zero if they are not stopped now
}

// begin and end are called by turns.
func (p *pause) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = time.Now()
}

func (p *pause) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all += time.Since(p.since)
	p.since = time.Time{}
}

// soFar returns how long all tests were stopped.
func (p *pause) soFar() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return p.all
	}
	return p.all + time.Since(p.since)
}

// A Stopwatch does not run while the tests are stopped.
type Stopwatch struct {
	processes *Reaper
	began     time.Time
	before    time.Duration // that they were stopped before it began
}

func (p *Reaper) Stopwatch() Stopwatch {
	return Stopwatch{p, time.Now(), p.stopped()}
}

func (s Stopwatch) Elapsed() time.Duration {
	return time.Since(s.began) - (s.processes.stopped() - s.before)
}

// After calls f after some time in which the tests were not stopped, unless cancel
// is called before.
func (p *Reaper) After(d time.Duration, f func()) (cancel func()) {
	watch := p.Stopwatch()
	cancelled := make(chan struct{})
	go func() {
		for left := d; left > 0; left = d - watch.Elapsed() {
			select {
			case <-time.After(left):
			case <-cancelled:
				return
			}
		}
		f()
	}()
	return sync.OnceFunc(func() { close(cancelled) })
}

// stopped returns how long the tests were stopped.
func (p *Reaper) stopped() time.Duration {
	if p == nil {
		return 0
	}
	return p.pause.soFar()
}
