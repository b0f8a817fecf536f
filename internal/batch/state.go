package batch

import (
	"sync"
	"time"

	"whittle"
)

// A Phase is the progress of a case.
type Phase int

// The phases of a case, in order. The last four are final.
const (
	Waiting Phase = iota
	Opening
	Reducing
	Reduced
	Stopped // early, with the best result so far
	Failed
	Same // not reduced, because another case has the same failure
)

// A State is a snapshot of a case.
type State struct {
	Phase        Phase
	Pass         string // that runs now
	Title        string // of the failure; "" if the case has its own test
	AtAll        int    // tokens of the input; 0 while unknown
	Tokens       int    // of the best result so far
	Tests        int    // with an outcome that was used
	Replayed     int    // of these, from the journal of an earlier run
	Vain         int    // tests with an unused outcome, set at the end
	Jobs         int    // tests that run now
	Began, Ended time.Time
	Err          error  // why the case failed
	Result       Result // set at the end
}

// A Result is the result of a case.
type Result struct {
	Path     string // may be empty
	Tokens   int
	Bytes    int
	Journal  string // path of the journal, if it remains
	Complete bool
	GoesOn   bool // running the same command again resumes the case
	exact    [32]byte
	shape    [32]byte
}

// A Run is one case of a batch. Its methods may be called from any goroutine.
type Run struct {
	*Case
	share *Share // nil before the case is opened

	mu    sync.Mutex
	state State
}

// State returns a snapshot.
func (r *Run) State() State {
	r.mu.Lock()
	share := r.share
	r.mu.Unlock()
	jobs := 0
	if share != nil {
		jobs = share.Running()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	s.Jobs = jobs
	return s
}

func (r *Run) change(f func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.state)
}

// observe receives the events of the reduction.
func (r *Run) observe(e whittle.Event) {
	switch e := e.(type) {
	case whittle.Started:
		r.change(func(s *State) { s.Phase = Reducing })
	case whittle.Decision:
		r.change(func(s *State) {
			s.AtAll, s.Tokens, s.Tests, s.Pass = e.AtAll, e.Best, e.Tests, e.Pass
			if e.Replayed {
				s.Replayed++
			}
		})
	}
}
