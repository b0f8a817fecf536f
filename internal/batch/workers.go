package batch

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"whittle/internal/search"
)

// Workers run the tests of several cases, so many at once. A free one goes to the test whose
// outcome is the most likely to be used: first to those that a case waits for, then to what
// any case asks in any case, then to what is likely. So a case that has few questions that
// do not depend on each other gets few.
//
// Invariant: what is asked, and what comes out, does not depend on who gets a worker when.
type Workers struct {
	jobs int

	mu      sync.Mutex
	cases   map[*Share]bool
	waiting []*turn // in the order in which they came
	running []*turn // the same
	came    int
	used    time.Duration // by tests, together, until since
	since   time.Time
	began   time.Time
	taken   int // tests that were begun again
}

// NewWorkers returns workers for so many tests at once.
func NewWorkers(jobs int) *Workers {
	now := time.Now()
	return &Workers{jobs: jobs, cases: map[*Share]bool{}, began: now, since: now}
}

// A Share is what one case has of the workers.
type Share struct {
	workers *Workers
	jobs    func(n int)
	running int
}

// turn is a test that wants a worker, or has one.
type turn struct {
	share  *Share
	ctx    context.Context
	cancel context.CancelFunc
	number int
	given  chan struct{} // closed once it has a worker
	taken  bool          // which was taken from it again
}

func (t *turn) chance() float64 { return search.Chance(t.ctx) }

// Join returns a share for a case. It calls jobs with the number of tests that it is good to
// have asked for at once, whenever that changes; jobs must not call the share.
func (w *Workers) Join(jobs func(n int)) *Share {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &Share{workers: w, jobs: jobs}
	w.cases[s] = true
	w.tellAll()
	return s
}

// Leave gives the share up. None of its tests runs.
func (s *Share) Leave() {
	w := s.workers
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.cases, s)
	w.tellAll()
}

// Running returns how many tests of the case have a worker.
func (s *Share) Running() int {
	s.workers.mu.Lock()
	defer s.workers.mu.Unlock()
	return s.running
}

// tellAll tells all cases how many tests they may ask for: twice their part of all workers
// more than have one, so that there is always a choice, and not many candidates wait.
func (w *Workers) tellAll() {
	for s := range w.cases {
		s.tell()
	}
}

func (s *Share) tell() {
	w := s.workers
	ahead := max(2, 2*w.jobs/max(1, len(w.cases)))
	s.jobs(min(w.jobs, s.running+ahead))
}

// ofShare is the key in a context of a test that has its turn.
type ofShare struct{}

// Turn is a [whittle/internal/run.Turn]. What a test asks in its turn has it, too.
func (s *Share) Turn(ctx context.Context, test func(context.Context) error) error {
	if ctx.Value(ofShare{}) == s {
		return test(ctx)
	}
	for {
		err, again := s.once(ctx, test)
		if !again || ctx.Err() != nil {
			return err
		}
	}
}

// Whole runs something that is more than a test, with a worker that stays its own. What it
// asks meanwhile needs no other.
func (s *Share) Whole(ctx context.Context, f func(context.Context) error) error {
	return s.Turn(ctx, func(context.Context) error { return f(context.WithValue(ctx, ofShare{}, s)) })
}

// once waits for a worker. If that is taken from the test before it has ended, it is to be
// run again.
func (s *Share) once(ctx context.Context, test func(context.Context) error) (err error, again bool) {
	own, cancel := context.WithCancel(context.WithValue(ctx, ofShare{}, s))
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

// enter has a test wait for a worker.
func (w *Workers) enter(t *turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.came++
	t.number = w.came
	w.waiting = append(w.waiting, t)
	w.assign()
}

// leave takes back the worker of a test, if it has one, and reports whether that was to be
// taken from it.
func (w *Workers) leave(t *turn) (taken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.waiting, t); i >= 0 {
		w.waiting = slices.Delete(w.waiting, i, i+1)
	}
	if i := slices.Index(w.running, t); i >= 0 {
		w.count()
		w.running = slices.Delete(w.running, i, i+1)
		t.share.running--
	}
	w.assign()
	t.share.tell()
	return t.taken
}

// assign gives free workers to what is the most urgent. Where there is none for a test that a
// case waits for, the least urgent test has to give up its own.
func (w *Workers) assign() {
	for len(w.running) < w.jobs && len(w.waiting) > 0 {
		first := slices.MinFunc(w.waiting, urgent)
		w.waiting = slices.DeleteFunc(w.waiting, func(t *turn) bool { return t == first })
		w.count()
		w.running = append(w.running, first)
		first.share.running++
		close(first.given)
		first.share.tell()
	}
	for range w.stalled() {
		w.take()
	}
}

// urgent compares two tests that wait: the likelier to be used comes first, of those alike
// that of the case which has fewer workers, then the one that came first.
func urgent(a, b *turn) int {
	return cmp.Or(cmp.Compare(b.chance(), a.chance()), cmp.Compare(a.share.running, b.share.running),
		cmp.Compare(a.number, b.number))
}

// stalled returns how many cases wait for a test that has no worker, and will not have one
// that is being taken from another.
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

// doubtful is the chance below which a test has to give up its worker for one that a case
// waits for.
const doubtful = 0.5

// take takes the worker of the least likely test, of those alike the one that has run least.
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

// count adds up what tests have used until now.
func (w *Workers) count() {
	now := time.Now()
	w.used += time.Duration(len(w.running)) * now.Sub(w.since)
	w.since = now
}

// A Use is what has become of the workers' time.
type Use struct {
	Jobs  int
	Busy  time.Duration // of all workers, with tests
	Time  time.Duration // that has gone by
	Taken int           // tests that had to give their worker up, and were begun again
}

// Share returns the part of the time in which workers were busy.
func (u Use) Share() float64 {
	if u.Time <= 0 {
		return math.NaN()
	}
	return u.Busy.Seconds() / (u.Time.Seconds() * float64(u.Jobs))
}

// Use returns what has become of the time since NewWorkers, and how many tests run now.
func (w *Workers) Use() (u Use, running int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count()
	return Use{w.jobs, w.used, w.since.Sub(w.began), w.taken}, len(w.running)
}
