package batch

import (
	"sync"
	"sync/atomic"
	"time"

	"whittle"
)

// A Phase is the progress of a case.
type Phase int

// The phases of a case in order; the last four are final.
const (
	Waiting Phase = iota
	Opening
	Reducing
	Reduced
	Stopped // early, with its best result
	Failed
	Same // another case has the same failure
)

// A State is a snapshot of a case.
type State struct {
	Phase        Phase
	Pass         string
	Title        string // "" if the case has its own test
	AtAll        int    // tokens of the input; 0 if unknown
	Tokens       int
	Tests        int // with a used outcome
	Replayed     int // of these, from the journal
	Vain         int // with an unused outcome; set at the end
	Jobs         int // running tests
	Began, Ended time.Time
	Err          error
	Result       Result // set at the end
}

// A Result is the result of a case.
type Result struct {
	Path     string // may be empty
	Tokens   int
	Bytes    int
	Journal  string // if it remains
	Complete bool
	GoesOn   bool // the same command resumes the case
	exact    [32]byte
	shape    [32]byte
}

// A Run is a case of a batch, safe for concurrent use.
type Run struct {
	*Case
	share atomic.Pointer[Share] // nil before the case is opened

	mu    sync.Mutex
	state State
}

// State returns a snapshot.
func (r *Run) State() State {
	jobs := 0
	if share := r.share.Load(); share != nil {
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
