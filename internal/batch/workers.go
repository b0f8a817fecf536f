package batch

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"whittle/internal/search"
)

// Workers run the tests of several cases, a limited number at once. A free worker takes the test
// with the most useful outcome: first one that a case waits for, then one that a case needs
// anyway, then the most probable to be used. So cases with few independent questions get few
// workers.
//
// Invariant: a case's questions and outcomes do not depend on the order of its tests.
type Workers struct {
	jobs int

	mu      sync.Mutex
	cases   map[*Share]bool
	waiting []*turn       // in order of arrival
	running []*turn       // likewise
	used    time.Duration // sum over tests, until since
	since   time.Time
	began   time.Time
	taken   int // tests that lost their worker
}

// NewWorkers returns workers for so many tests at once.
func NewWorkers(jobs int) *Workers {
	now := time.Now()
	return &Workers{jobs: jobs, cases: map[*Share]bool{}, began: now, since: now}
}

// A Share is one case's access to the workers.
type Share struct {
	workers *Workers
	jobs    func(n int)
	running int
}

// A turn is a test that waits for a worker or has one.
type turn struct {
	share  *Share
	ctx    context.Context
	cancel context.CancelFunc
	given  chan struct{} // closed with the worker
	taken  bool          // lost its worker
}

func (t *turn) chance() float64 { return search.Chance(t.ctx) }

// Join adds a case. It calls jobs with the number of tests to request at once, now and after each
// change. jobs must not call the share.
func (w *Workers) Join(jobs func(n int)) *Share {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &Share{workers: w, jobs: jobs}
	w.cases[s] = true
	w.updateAll()
	return s
}

// Leave removes the case after its tests ended.
func (s *Share) Leave() {
	w := s.workers
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.cases, s)
	w.updateAll()
}

// Running returns how many tests of the case have a worker.
func (s *Share) Running() int {
	s.workers.mu.Lock()
	defer s.workers.mu.Unlock()
	return s.running
}

func (w *Workers) updateAll() {
	for s := range w.cases {
		s.update()
	}
}

// update calls jobs with the running tests and twice the case's part of the workers. This leaves
// a choice, and few candidates wait in memory.
func (s *Share) update() {
	w := s.workers
	ahead := max(2, 2*w.jobs/max(1, len(w.cases)))
	s.jobs(min(w.jobs, s.running+ahead))
}

// shareKey is the context key of the share that has a turn.
type shareKey struct{}

// Turn runs a test on a worker. A test inside of another needs none.
func (s *Share) Turn(ctx context.Context, test func(context.Context) error) error {
	if ctx.Value(shareKey{}) == s {
		return test(ctx)
	}
	for {
		err, again := s.once(ctx, test)
		if !again || ctx.Err() != nil {
			return err
		}
	}
}

// Whole runs a function with one worker for all its tests, never taken away.
func (s *Share) Whole(ctx context.Context, f func(context.Context) error) error {
	return s.Turn(ctx, func(context.Context) error { return f(context.WithValue(ctx, shareKey{}, s)) })
}

// once waits for a worker and runs the test, again if it lost the worker.
func (s *Share) once(ctx context.Context, test func(context.Context) error) (err error, again bool) {
	own, cancel := context.WithCancel(context.WithValue(ctx, shareKey{}, s))
	defer cancel()
	t := &turn{share: s, ctx: own, cancel: cancel, given: make(chan struct{})}
	w := s.workers
	w.enter(t)
	select {
	case <-t.given:
		err = test(own)
	case <-ctx.Done():
		err = ctx.Err()
	}
	return err, w.leave(t) && err != nil
}

func (w *Workers) enter(t *turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, t)
	w.assign()
}

// leave frees a test's worker, and reports whether it was taken away.
func (w *Workers) leave(t *turn) (taken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopWaiting(t)
	if i := slices.Index(w.running, t); i >= 0 {
		w.count()
		w.running = slices.Delete(w.running, i, i+1)
		t.share.running--
	}
	w.assign()
	t.share.update()
	return t.taken
}

// assign gives free workers to the most urgent tests, of equals the first to arrive. For each case
// that still waits for a test, the least urgent test loses its worker.
func (w *Workers) assign() {
	for len(w.running) < w.jobs && len(w.waiting) > 0 {
		first := slices.MinFunc(w.waiting, urgent)
		w.stopWaiting(first)
		w.count()
		w.running = append(w.running, first)
		first.share.running++
		close(first.given)
		first.share.update()
	}
	for range w.stalled() {
		w.take()
	}
}

func (w *Workers) stopWaiting(t *turn) {
	w.waiting = slices.DeleteFunc(w.waiting, func(other *turn) bool { return other == t })
}

// urgent compares waiting tests by probability of use and by the case's workers.
func urgent(a, b *turn) int {
	return cmp.Or(cmp.Compare(b.chance(), a.chance()), cmp.Compare(a.share.running, b.share.running))
}

// stalled returns how many cases wait for a test and get no cancelled test's worker.
func (w *Workers) stalled() (n int) {
	for _, t := range w.waiting {
		if t.chance() == 1 {
			n++
		}
	}
	for _, t := range w.running {
		if t.taken {
			n--
		}
	}
	return n
}

const doubtful = 0.5

// take cancels the least probable test, of equals the youngest.
func (w *Workers) take() {
	var least *turn
	lowest := doubtful
	for _, t := range w.running {
		if c := t.chance(); !t.taken && c <= lowest {
			least, lowest = t, c
		}
	}
	if least != nil {
		least.taken = true
		w.taken++
		least.cancel()
	}
}

func (w *Workers) count() {
	now := time.Now()
	w.used += time.Duration(len(w.running)) * now.Sub(w.since)
	w.since = now
}

// A Use is the workers' use of time.
type Use struct {
	Jobs  int
	Busy  time.Duration // sum over workers
	Time  time.Duration // since NewWorkers
	Taken int           // tests that lost their worker and began again
}

// Share returns the busy fraction of the time.
func (u Use) Share() float64 {
	if u.Time <= 0 {
		return 0
	}
	return u.Busy.Seconds() / (u.Time.Seconds() * float64(u.Jobs))
}

// Use returns the use until now, and the number of running tests.
func (w *Workers) Use() (u Use, running int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count()
	return Use{w.jobs, w.used, w.since.Sub(w.began), w.taken}, len(w.running)
}
