package batch

import (
	"sync"
	"time"

	"whittle"
)

// A Phase is how far a case has come.
type Phase int

// The phases of a case, in order; it ends in one of the last four.
const (
	Waiting Phase = iota
	Opening
	Reducing
	Reduced // as far as it is to be
	Stopped // with the best so far
	Failed
	Same // as another case that was reduced in its place
)

// A State is what has become of a case until now.
type State struct {
	Phase        Phase
	Pass         string // that runs
	Title        string // what its failure is known by; "" if only its test knows
	AtAll        int    // tokens of the input; 0 before they are known
	Tokens       int    // of the best so far
	Tests        int    // whose outcome was used
	Replayed     int    // of these, those that an earlier run had done
	Vain         int    // started in vain, once it has ended
	Jobs         int    // tests that run now
	Began, Ended time.Time
	Err          error  // why it failed
	Result       Result // once it has ended, if there is one
}

// A Result is what was written of a case.
type Result struct {
	Path     string // "" is none
	Tokens   int
	Bytes    int
	Journal  string // its path, if it is still there
	Complete bool
	GoesOn   bool // the same command goes on
	exact    [32]byte
	shape    [32]byte
}

// A Run is a case on its way. It may be asked from any goroutine.
type Run struct {
	*Case
	share *Share // nil before it is opened

	mu    sync.Mutex
	state State
}

// State returns what has become of the case.
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

// change changes the state.
func (r *Run) change(f func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.state)
}

// decided takes note of an answer.
func (r *Run) decided(d whittle.Decision) {
	r.change(func(s *State) {
		s.AtAll, s.Tokens, s.Tests, s.Pass = d.AtAll, d.Best, d.Tests, d.Pass
		if d.Replayed {
			s.Replayed++
		}
	})
}
