// Package search runs a search ahead of its outcomes: free workers test candidates of later
// questions. Questions and result do not depend on the number of workers.
package search

import (
	"context"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A Runner answers the questions of a reduction's searches, one search after the other.
type Runner struct {
	// Property decides, on many goroutines.
	Property oracle.Property
	// Journal answers before Property and learns its outcomes; may be nil.
	Journal oracle.Journal
	// Accepts reports whether a search may accept an interesting candidate, which otherwise is
	// Unresolved; nil accepts all. The journal always gets the outcome of Property.
	Accepts func(candidate []byte) bool
	// Jobs is the number of parallel tests, at least 1.
	Jobs int
	// Steer, if not nil, is called before tests start. It may wait, and returns new Jobs; 0 means
	// unchanged.
	Steer func(ctx context.Context) (jobs int)
	// Wake receives when Steer may return more Jobs; may be nil.
	Wake <-chan struct{}

	cache     *cache // see layers
	predictor predictor
	size      int
	started   int
	used      int
	replayed  int
}

// Counts returns the used tests, independent of Jobs, and the others that were started.
func (r *Runner) Counts() (run, cancelled int) { return r.used, r.started - (r.used - r.replayed) }

// Replayed returns the used tests of an earlier run.
func (r *Runner) Replayed() int { return r.replayed }

// Know sets the outcome of a candidate.
func (r *Runner) Know(file []byte, outcome algo.Outcome) {
	r.layers().learn(candidate{oracle.KeyOf(file), file}, outcome)
}

// Forget drops candidates with more bytes than the best file; later ones are smaller.
func (r *Runner) Forget(bytes int) {
	r.size = bytes
	r.layers().forget(bytes)
}

// Doubt forgets interesting outcomes, so that they are tested again.
func (r *Runner) Doubt() { r.layers().doubt() }

// Expect returns the outcome of a file. It runs the test unless the journal has the expected
// outcome, and learns only that.
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
	r.layers().learn(about, want)
	return want, nil
}
