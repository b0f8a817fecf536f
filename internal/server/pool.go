package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"whittle/oracle"
)

// A pool has the running servers of a command. Each is free, or in the hands of
// who took it and must put it back or lose it.
//
// Invariant: there are as many vacancies as servers may still be started.
type pool struct {
	options   Options
	free      chan *program
	vacancies chan struct{}

	mu     sync.Mutex
	start  time.Duration // the longest time to a first answer
	waited time.Duration // for a free server, since the last start
}

func newPool(o Options) *pool {
	p := &pool{options: o, free: make(chan *program, o.Jobs), vacancies: make(chan struct{}, o.Jobs)}
	for range o.Jobs {
		p.vacancies <- struct{}{}
	}
	return p
}

// take returns a server that is free. If there is none at all, it starts one; else
// once tests have waited for a free one as long, in all, as a start takes.
func (p *pool) take(ctx context.Context, spec *oracle.Spec) (*program, error) {
	began := time.Now()
	worth := time.After(p.delay())
	var vacancies chan struct{} // while it is not worth it
	for {
		select {
		case s := <-p.free:
			if s.ended() { // by itself
				if err := p.lose(s); err != nil {
					return nil, err
				}
				worth = time.After(p.delay())
				continue
			}
			p.wait(time.Since(began))
			return s, nil
		case <-worth:
			vacancies = p.vacancies
		case <-vacancies:
			s, err := startProgram(ctx, p.options, spec)
			if err != nil {
				p.vacancies <- struct{}{}
			}
			p.mu.Lock()
			p.waited = 0
			p.mu.Unlock()
			return s, err
		case <-ctx.Done():
			p.wait(time.Since(began))
			return nil, ctx.Err()
		}
	}
}

// delay returns the time to wait before a start is worth it.
func (p *pool) delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 && len(p.vacancies) == cap(p.vacancies) {
		return 0
	}
	return max(p.start-p.waited, time.Millisecond) // what is free comes first
}

// wait takes note that a test has waited for a server.
func (p *pool) wait(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited += d
}

// put takes back a server that has answered.
func (p *pool) put(s *program) {
	p.mu.Lock()
	if s.answers == 0 {
		p.start = max(p.start, time.Since(s.began))
	}
	p.mu.Unlock()
	s.answers++
	p.free <- s
}

// lose kills a server.
func (p *pool) lose(s *program) error {
	defer func() { p.vacancies <- struct{}{} }()
	return s.kill()
}

// replace kills a server and starts another one in its place.
func (p *pool) replace(ctx context.Context, s *program, spec *oracle.Spec) (*program, error) {
	err := s.kill()
	if err == nil {
		s, err = startProgram(ctx, p.options, spec)
	}
	if err != nil {
		p.vacancies <- struct{}{}
	}
	return s, err
}

// longestStart is the longest time that a server took to its first answer.
func (p *pool) longestStart() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.start
}

// end ends all servers, which must be free, and kills those that still run when
// the grace is over.
func (p *pool) end(grace <-chan struct{}) error {
	n := len(p.free)
	errs := make(chan error, n)
	for range n {
		go func() { errs <- (<-p.free).end(grace) }()
	}
	var err error
	for range n {
		err = errors.Join(err, <-errs)
	}
	return err
}
