package process

import (
	"sync"
	"time"
)

// A pause is the time while tests were stopped, as by Ctrl-Z.
type pause struct {
	mu    sync.Mutex
	all   time.Duration // earlier pauses
	since time.Time     // zero unless stopped
}

// begin and end alternate.
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

func (p *pause) soFar() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return p.all
	}
	return p.all + time.Since(p.since)
}

// A Stopwatch pauses while the tests are stopped.
type Stopwatch struct {
	processes *Reaper
	began     time.Time
	before    time.Duration // earlier pauses
}

func (p *Reaper) Stopwatch() Stopwatch { return Stopwatch{p, time.Now(), p.stopped()} }

func (s Stopwatch) Elapsed() time.Duration {
	return time.Since(s.began) - (s.processes.stopped() - s.before)
}

// After calls f after d, without the time while tests are stopped, unless cancelled.
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

func (p *Reaper) stopped() time.Duration {
	if p == nil {
		return 0
	}
	return p.pause.soFar()
}
