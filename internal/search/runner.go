// Package search runs a search ahead of its outcomes: while one test runs, free
// workers test what will be asked, or is likely to be. What is asked, and so what
// comes out, does not depend on the number of workers.
package search

import (
	"context"
	"crypto/sha256"
	"time"

	"whittle/algo"
)

// A Runner answers for the candidates of searches, by a row of what may know: see
// its fields. One Runner serves all searches of a reduction, one after the other.
type Runner struct {
	// Property decides. It is called from many goroutines.
	Property Property
	// Journal answers before Property, and learns what that says; nil is none.
	Journal Journal
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
	// Waiting, if it is not nil, is a clock in the place of the real one: it is called when
	// there is nothing to do until a test ends, with the number of tests that have been
	// started and have not ended, and returns how many of them end now, at least 1. All of
	// these are known before more are started.
	Waiting func(running int) (ending int)

	cache     *cache // and what is behind it, see row
	predictor predictor
	size      int // of the file that the search has come to
	started   int
	used      int
	replayed  int
}

// An Answer is what a search is told of a candidate.
type Answer struct {
	Outcome  algo.Outcome
	Cached   bool          // the same bytes had been answered before
	Replayed bool          // an earlier run had answered them
	Elapsed  time.Duration // of the test, to the millisecond where an earlier run did it
	Chance   float64       // how likely it was guessed to be interesting
}

// Counts returns the number of tests whose outcome was used, which does not
// depend on Jobs, and of those that were started in vain.
func (r *Runner) Counts() (run, cancelled int) { return r.used, r.started - (r.used - r.replayed) }

// Replayed returns the number of tests that an earlier run had done, of those
// whose outcome was used.
func (r *Runner) Replayed() int { return r.replayed }

// A Key stands for the bytes of a candidate.
type Key [16]byte

// KeyOf returns the key of a candidate.
func KeyOf(candidate []byte) Key {
	sum := sha256.Sum256(candidate)
	return Key(sum[:16])
}

// Know tells the outcome of a candidate.
func (r *Runner) Know(file []byte, outcome algo.Outcome) {
	r.row().learn(candidate{KeyOf(file), file}, outcome)
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
