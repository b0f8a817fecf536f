// Package search runs a search ahead of its outcomes: free workers test candidates of later
// questions. Questions and result do not depend on the number of workers.
//
// A question is answered by this run, by the journal or by the test. The gate may change an
// interesting outcome of the last two.
package search

import (
	"context"
	"maps"
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
	// Accepts reports whether a search may accept an interesting candidate, otherwise Unresolved;
	// nil accepts all. The journal gets the outcome of Property.
	Accepts func(candidate []byte) bool
	// Jobs is the number of parallel tests, at least 1.
	Jobs int
	// Steer, if not nil, is called before tests start. It may wait, and returns new Jobs or 0.
	Steer func(ctx context.Context) (jobs int)
	// Wake receives when Steer may return more Jobs; may be nil.
	Wake <-chan struct{}

	// Answers to the search and to speculative tests are separate, so that speculation does not
	// change which are forgotten.
	asked, early memory
	reasons      map[oracle.Key][]string // of asked and early
	clues        []string                // of the last interesting candidate
	clued        oracle.Key

	predictor predictor
	size      int
	started   int
	used      int
	replayed  int
}

// Counts returns the used tests, independent of Jobs, and the others that were started. A forgotten outcome that the
// journal still knows is used twice and started once.
func (r *Runner) Counts() (run, cancelled int) { return r.used, max(0, r.started-(r.used-r.replayed)) }

// Replayed returns the used tests of an earlier run.
func (r *Runner) Replayed() int { return r.replayed }

// Clues returns the reasons of a file if it is the last interesting candidate.
func (r *Runner) Clues(file []byte) []string {
	if oracle.KeyOf(file) != r.clued {
		return nil
	}
	return r.clues
}

// Know sets the outcome of a candidate.
func (r *Runner) Know(file []byte, outcome algo.Outcome) {
	key := oracle.KeyOf(file)
	r.learn(key, outcome, 0)
	r.asked.put(key, known{outcome, int32(len(file))})
}

// Forget drops candidates with more bytes than the best file.
func (r *Runner) Forget(bytes int) {
	r.size = bytes
	r.drop(func(f known) bool { return int(f.size) > bytes })
}

// ForgetEarly drops the outcomes of speculative tests, since later ones may be stricter.
func (r *Runner) ForgetEarly() {
	r.early = memory{}
	r.drop(func(known) bool { return false })
}

// Doubt forgets interesting outcomes, so that they are tested again.
func (r *Runner) Doubt() {
	if r.Journal != nil {
		r.Journal.Doubt()
	}
	r.drop(func(f known) bool { return f.outcome == algo.Interesting })
}

func (r *Runner) drop(unwanted func(known) bool) {
	r.asked.drop(unwanted)
	r.early.drop(unwanted)
	maps.DeleteFunc(r.reasons, func(k oracle.Key, _ []string) bool {
		_, asked := r.asked.get(k)
		_, early := r.early.get(k)
		return !asked && !early
	})
}

// Expect returns the outcome of a file, from the journal only the expected one. It learns only
// that.
func (r *Runner) Expect(ctx context.Context, file []byte, want algo.Outcome) (algo.Outcome, error) {
	key, began := oracle.KeyOf(file), time.Now()
	earlier, known := r.replay(key)
	reasons := earlier.Reasons
	if !known || earlier.Outcome != want {
		if outcome, err := r.Property(oracle.WithReasons(ctx, &reasons), file); err != nil || outcome != want {
			return outcome, err
		}
		r.learn(key, want, time.Since(began), reasons...)
	}
	r.clues, r.clued = reasons, key
	r.Know(file, want)
	return want, nil
}

type candidate struct {
	key   oracle.Key
	bytes []byte
}

// recall returns a stored outcome: of this run, or of the journal.
func (r *Runner) recall(c candidate) (oracle.Recollection, bool) {
	for _, m := range []*memory{&r.asked, &r.early} {
		if known, ok := m.get(c.key); ok {
			return oracle.Recollection{Outcome: known.outcome, Reasons: r.reasons[c.key]}, true
		}
	}
	earlier, known := r.replay(c.key)
	earlier.Outcome = r.accepted(c, earlier.Outcome)
	return earlier, known
}

func (r *Runner) remember(k oracle.Key, reasons []string) {
	if r.reasons == nil {
		r.reasons = map[oracle.Key][]string{}
	}
	if reasons != nil {
		r.reasons[k] = reasons
	}
}

// test is called on many goroutines.
func (r *Runner) test(ctx context.Context, c candidate) (outcome algo.Outcome, reasons []string, err error) {
	began := time.Now()
	ctx = oracle.WithReasons(ctx, &reasons)
	if outcome, err = r.Property(ctx, c.bytes); err != nil {
		return outcome, nil, err
	}
	if outcome == algo.Unresolved {
		reasons = nil
	}
	r.learn(c.key, outcome, time.Since(began), reasons...)
	return r.accepted(c, outcome), reasons, nil
}

func (r *Runner) accepted(c candidate, outcome algo.Outcome) algo.Outcome {
	if outcome == algo.Interesting && r.Accepts != nil && !r.Accepts(c.bytes) {
		return algo.Unresolved
	}
	return outcome
}

func (r *Runner) replay(k oracle.Key) (earlier oracle.Recollection, known bool) {
	if r.Journal == nil {
		return earlier, false
	}
	return r.Journal.Recall(k)
}

func (r *Runner) learn(k oracle.Key, outcome algo.Outcome, elapsed time.Duration, reasons ...string) {
	if r.Journal != nil {
		r.Journal.Learn(k, outcome, elapsed, reasons...)
	}
}
