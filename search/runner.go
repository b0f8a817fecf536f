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

// Runner answers for candidates: from its memory where it can, else by the
// property. One oracle serves all searches of a reduction, one after the other.
type Runner struct {
	// Property decides. It is called from many goroutines.
	Property func(ctx context.Context, candidate []byte) (algo.Outcome, error)
	// Accepts tells whether a search may take a candidate that is interesting;
	// where it may not, it is told Unresolved. Nil is yes. The journal holds what
	// Property says all the same.
	Accepts func(candidate []byte) bool
	// Jobs is the number of tests that may run at once, at least 1.
	Jobs int
	// Journal answers before the property, and learns what that says; nil is
	// none.
	Journal Journal

	asked     memory // what has been asked, in order
	spare     memory // what was tested early and has not been asked yet
	predictor predictor
	size      int // of the file that the search has come to
	started   int
	used      int
	replayed  int
}

// Answer is what an oracle says of a candidate.
type Answer struct {
	Outcome  algo.Outcome
	Cached   bool          // the same bytes had been answered before
	Replayed bool          // an earlier run had answered them
	Elapsed  time.Duration // of the test, to the millisecond where an earlier run did it
}

// A Journal keeps outcomes for longer than a [Runner] lives. It may be used from
// several goroutines at once.
type Journal interface {
	// Recall returns what is known of a candidate.
	Recall(Key) (r Recollection, known bool)
	// Learn writes down an outcome, and the time that the test took, 0 if that is
	// not known.
	Learn(k Key, outcome algo.Outcome, elapsed time.Duration)
	// Doubt makes unknown which candidates were interesting.
	Doubt()
}

// A Recollection is what a [Journal] knows of a candidate.
type Recollection struct {
	Outcome algo.Outcome
	Earlier bool          // learned by an earlier run
	Elapsed time.Duration // that its test took
}

// Counts gives the number of tests whose outcome was used, which does not
// depend on Jobs, and of those that were started in vain.
func (o *Runner) Counts() (run, cancelled int) { return o.used, o.started - (o.used - o.replayed) }

// Replayed gives the number of tests that an earlier run had done, of those
// whose outcome was used.
func (o *Runner) Replayed() int { return o.replayed }

// A Key stands for the bytes of a candidate.
type Key [16]byte

// KeyOf returns the key of a candidate.
func KeyOf(candidate []byte) Key {
	sum := sha256.Sum256(candidate)
	return Key(sum[:16])
}

// answer is a test that runs or has ended.
type answer struct {
	done      bool
	cancelled bool
	replayed  bool
	outcome   algo.Outcome
	err       error
	elapsed   time.Duration
	cancel    context.CancelFunc
	number    int // of the test, among those that were started
}

// Know tells the oracle the outcome of a candidate.
func (o *Runner) Know(candidate []byte, outcome algo.Outcome) {
	k := KeyOf(candidate)
	if o.Journal != nil {
		o.Journal.Learn(k, outcome, 0)
	}
	o.asked.put(k, known{outcome, int32(len(candidate))})
}

// Forget lets go of the candidates with more than so many bytes: the search has
// come to a file of that size, and asks for smaller ones from now on.
func (o *Runner) Forget(bytes int) {
	o.size = bytes
	o.asked.forget(bytes)
	o.spare.forget(bytes)
}

// Doubt forgets which candidates were interesting: they are asked again where a
// search wants to know.
func (o *Runner) Doubt() {
	if o.Journal != nil {
		o.Journal.Doubt()
	}
	o.asked.doubt()
	o.spare.doubt()
}

// recall gives a new answer about a candidate, which is done if the outcome is
// known.
func (o *Runner) recall(k Key, candidate []byte) *answer {
	for _, m := range []*memory{&o.asked, &o.spare} {
		if known, ok := m.get(k); ok {
			return &answer{done: true, outcome: known.outcome}
		}
	}
	if o.Journal == nil {
		return &answer{}
	}
	r, known := o.Journal.Recall(k)
	return &answer{done: known, replayed: r.Earlier, outcome: o.told(candidate, r.Outcome), elapsed: r.Elapsed}
}

// told gives what a search is told of a candidate with this outcome.
func (o *Runner) told(candidate []byte, outcome algo.Outcome) algo.Outcome {
	if outcome == algo.Interesting && o.Accepts != nil && !o.Accepts(candidate) {
		return algo.Unresolved
	}
	return outcome
}

// test runs the test of a candidate, writes down its outcome, and gives what a
// search is told.
func (o *Runner) test(ctx context.Context, k Key, candidate []byte) (algo.Outcome, error) {
	began := time.Now()
	outcome, err := o.Property(ctx, candidate)
	if err != nil {
		return outcome, err
	}
	if o.Journal != nil {
		o.Journal.Learn(k, outcome, time.Since(began))
	}
	return o.told(candidate, outcome), nil
}
