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
	cancelled bool
	replayed  bool
	outcome   algo.Outcome
	err       error
	elapsed   time.Duration
	cancel    context.CancelFunc
}

// Know tells the oracle the outcome of a candidate.
func (o *Oracle) Know(candidate []byte, outcome algo.Outcome) {
	o.Journal.Learn(candidate, outcome, 0)
	o.asked.put(keyOf(candidate), known{outcome, int32(len(candidate))})
}

// Forget lets go of the candidates with more than so many bytes: the search has
// come to a file of that size, and asks for smaller ones from now on.
func (o *Oracle) Forget(bytes int) {
	o.size = bytes
	o.asked.forget(bytes)
	o.spare.forget(bytes)
}

// Doubt forgets which candidates were interesting: they are asked again where a
// search wants to know.
func (o *Oracle) Doubt() {
	o.Journal.doubt()
	o.asked.doubt()
	o.spare.doubt()
}

// recall gives a new answer, which is done if the outcome is known.
func (o *Oracle) recall(k key) *answer {
	for _, m := range []*memory{&o.asked, &o.spare} {
		if known, ok := m.get(k); ok {
			return &answer{done: true, outcome: known.outcome}
		}
	}
	f, known := o.Journal.recall(k)
	return &answer{done: known, replayed: f.earlier, outcome: f.outcome, elapsed: f.elapsed()}
}

// test runs the test of a candidate and writes down its outcome.
func (o *Oracle) test(ctx context.Context, k key, candidate []byte) (algo.Outcome, error) {
	began := time.Now()
	outcome, err := o.Property(ctx, candidate)
	if err == nil {
		o.Journal.learn(k, outcome, time.Since(began))
	}
	return outcome, err
}
