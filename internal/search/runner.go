// Package search runs a search ahead of its outcomes: while one test runs, free workers test
// candidates of later questions. The questions, and so the result, do not depend
// on the number of workers.
package search

import (
	"context"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A Runner answers the questions of searches. One Runner serves all searches of a reduction,
// one after the other.
type Runner struct {
	// Property decides. It is called from many goroutines.
	Property oracle.Property
	// Journal answers before Property and learns its outcomes; nil means no journal.
	Journal oracle.Journal
	// Accepts reports whether a search may accept an interesting candidate; otherwise the
	// search gets Unresolved. nil accepts all. The journal gets the outcome of Property in any
	// case.
	Accepts func(candidate []byte) bool
	// Jobs is the number of parallel tests, at least 1.
	Jobs int
	// Steer, if it is not nil, is called before tests start. It may wait, and returns a new
	// value for Jobs; 0 means unchanged.
	Steer func(ctx context.Context) (jobs int)
	// Wake receives when Steer may return more Jobs; nil means never.
	Wake <-chan struct{}

	cache     *cache // with the layers behind it; see layers
	predictor predictor
	size      int // of the best file
	started   int
	used      int
	replayed  int
}

// Counts returns the number of tests whose outcome was used, which does not depend on Jobs, and
// the number of other tests that were started.
func (r *Runner) Counts() (run, cancelled int) { return r.used, r.started - (r.used - r.replayed) }

// Replayed returns the number of used tests that an earlier run had done.
func (r *Runner) Replayed() int { return r.replayed }

// Know sets the outcome of a candidate.
func (r *Runner) Know(file []byte, outcome algo.Outcome) {
	r.layers().learn(candidate{oracle.KeyOf(file), file}, outcome)
}

// Forget drops candidates with more than the given number of bytes, the size of the best file.
// Later questions are about smaller files.
func (r *Runner) Forget(bytes int) {
	r.size = bytes
	r.layers().forget(bytes)
}

// Doubt forgets which candidates were interesting, so that they are tested again.
func (r *Runner) Doubt() { r.layers().doubt() }

// Expect returns the outcome of a file that should have the outcome want. It runs the test
// unless the journal has that outcome already. Only the expected outcome is learned.
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
