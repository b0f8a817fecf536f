package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"whittle/oracle"
)

// A pool has the running servers: free ones, and those taken by tests. vacancies has an element
// for each server that may still be started.
type pool struct {
	options   Options
	free      chan *program
	vacancies chan struct{}

	mu     sync.Mutex
	start  time.Duration // longest time to a first answer
	waited time.Duration // total wait since the last start
}

func newPool(o Options) *pool {
	p := &pool{options: o, free: make(chan *program, o.Jobs), vacancies: make(chan struct{}, o.Jobs)}
	for range o.Jobs {
		p.vacancies <- struct{}{}
	}
	return p
}

// take returns a free server, or starts one: the first at once, others when tests have waited, in
// total, as long as a start takes. So short reductions save starts.
func (p *pool) take(ctx context.Context, spec *oracle.Spec) (*program, error) {
	began := time.Now()
	worth := time.After(p.delay())
	var vacancies chan struct{} // nil while a start does not pay
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

func (p *pool) delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 && len(p.vacancies) == cap(p.vacancies) {
		return 0
	}
	return max(p.start-p.waited, time.Millisecond) // prefer a free one
}

func (p *pool) wait(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited += d
}

func (p *pool) put(s *program) {
	p.mu.Lock()
	if s.answers == 0 {
		p.start = max(p.start, time.Since(s.began))
	}
	p.mu.Unlock()
	s.answers++
	p.free <- s
}

func (p *pool) lose(s *program) error {
	defer func() { p.vacancies <- struct{}{} }()
	return s.kill()
}

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

func (p *pool) longestStart() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.start
}

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
