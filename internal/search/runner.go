// Package search runs a search ahead of its outcomes: while one test runs, free
// workers test what will be asked, or is likely to be. What is asked, and so what
// comes out, does not depend on the number of workers.
package search

import (
	"context"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A Runner answers for the candidates of searches, by a row of what may know: see
// its fields. One Runner serves all searches of a reduction, one after the other.
type Runner struct {
	// Property decides. It is called from many goroutines.
	Property oracle.Property
	// Journal answers before Property, and learns what that says; nil is none.
	Journal oracle.Journal
	// Accepts reports whether a search may take a candidate that is interesting;
	// where it may not, it is told Unresolved. Nil accepts all. The journal holds what
	// Property says all the same.
	Accepts func(candidate []byte) bool
	// Jobs is the number of tests that may run at once, at least 1.
	Jobs int
	// Steer, if it is not nil, is called before tests start: it may wait, and returns the
	// Jobs from now on; 0 is as before.
	Steer func(ctx context.Context) (jobs int)
	// Wake says that Steer may have more Jobs now; nil is never.
	Wake <-chan struct{}

	cache     *cache // and what is behind it, see row
	predictor predictor
	size      int // of the file that the search has come to
	started   int
	used      int
	replayed  int
}

// Counts returns the number of tests whose outcome was used, which does not
// depend on Jobs, and of those that were started in vain.
func (r *Runner) Counts() (run, cancelled int) { return r.used, r.started - (r.used - r.replayed) }

// Replayed returns the number of tests that an earlier run had done, of those
// whose outcome was used.
func (r *Runner) Replayed() int { return r.replayed }

// Know tells the outcome of a candidate.
func (r *Runner) Know(file []byte, outcome algo.Outcome) {
	r.row().learn(candidate{oracle.KeyOf(file), file}, outcome)
}

// Forget lets go of the candidates with more than so many bytes: the search has
// come to a file of that size, and asks for smaller ones from now on.
func (r *Runner) Forget(bytes int) {
	r.size = bytes
	r.row().forget(bytes)
}

// Doubt forgets which candidates were interesting: they are asked again where a
// search wants to know.
func (r *Runner) Doubt() { r.row().doubt() }

// Expect returns the outcome of a file that should have the outcome want. It runs the test
// unless the journal has that outcome already. The outcome is learned if it is the expected one.
func (r *Runner) Expect(ctx context.Context, file []byte, want algo.Outcome) (algo.Outcome, error) {
	var l layer = test{r.Property}
	if r.Journal != nil {
		l = journal{l, r.Journal}
	}
	about, began := candidate{oracle.KeyOf(file), file}, time.Now()
	if earlier, known := l.recall(about); !known || earlier.Outcome != want {
		if outcome, err := r.Property(ctx, file); err != nil || outcome != want {
			return outcome, err
		}
		if r.Journal != nil {
			r.Journal.Learn(about.key, want, time.Since(began))
		}
	}
	r.row().learn(about, want)
	return want, nil
}
