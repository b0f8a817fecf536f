package oracle

import (
	"context"
	"crypto/sha256"
	"time"

	"whittle/algo"
)

// Oracle answers for candidates: from its memory where it can, else by the
// property. One oracle serves all searches of a reduction, one after the other.
type Oracle struct {
	// Property decides. It is called from many goroutines.
	Property Property
	// Jobs is the number of tests that may run at once, at least 1.
	Jobs int
	// Journal answers before the property, and learns what that says; nil is
	// none.
	Journal *Journal

	known     map[key]*answer
	predictor predictor
	started   int
	used      int
	replayed  int
}

// Answer is what an oracle says of a candidate.
type Answer struct {
	Outcome  algo.Outcome
	Cached   bool          // the same bytes had been answered before
	Replayed bool          // an earlier run had answered them
	Elapsed  time.Duration // of the test
}

// Counts gives the number of tests whose outcome was used, which does not
// depend on Jobs, and of those that were started in vain.
func (o *Oracle) Counts() (run, cancelled int) { return o.used, o.started - (o.used - o.replayed) }

// Replayed gives the number of tests that an earlier run had done, of those
// whose outcome was used.
func (o *Oracle) Replayed() int { return o.replayed }

type key [16]byte

func keyOf(candidate []byte) key {
	sum := sha256.Sum256(candidate)
	return key(sum[:16])
}

// answer is a test that runs or has ended.
type answer struct {
	done      bool
	used      bool // on the path of real outcomes
	cancelled bool
	replayed  bool
	outcome   algo.Outcome
	err       error
	elapsed   time.Duration
	cancel    context.CancelFunc
}

// Know tells the oracle the outcome of a candidate.
func (o *Oracle) Know(candidate []byte, outcome algo.Outcome) {
	if o.known == nil {
		o.known = map[key]*answer{}
	}
	o.Journal.Learn(candidate, outcome)
	o.known[keyOf(candidate)] = &answer{done: true, used: true, outcome: outcome}
}

// recall gives a new answer, which is done if the journal knows the outcome.
func (o *Oracle) recall(k key) *answer {
	f, known := o.Journal.recall(k)
	return &answer{done: known, replayed: f.earlier, outcome: f.outcome}
}

// test runs the test of a candidate and writes down its outcome.
func (o *Oracle) test(ctx context.Context, k key, candidate []byte) (algo.Outcome, error) {
	outcome, err := o.Property(ctx, candidate)
	if err == nil {
		o.Journal.learn(k, outcome)
	}
	return outcome, err
}
