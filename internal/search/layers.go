package search

import (
	"context"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// layers builds the layers between a search and the test. A question passes down until a layer
// knows the answer, and outcomes pass back up:
//
//	cache    earlier answers of this run
//	gate     whether the search may accept the candidate
//	journal  outcomes of earlier runs
//	test     the property
//
// For a test program, package chain lists the middleware behind the property.
func (r *Runner) layers() *cache {
	if r.cache == nil {
		var l layer = test{r.Property}
		if r.Journal != nil {
			l = journal{l, r.Journal}
		}
		if r.Accepts != nil {
			l = gate{l, r.Accepts}
		}
		r.cache = &cache{layer: l}
	}
	return r.cache
}

type layer interface {
	// recall returns a stored outcome.
	recall(candidate) (r oracle.Recollection, known bool)
	// test runs the test, on many goroutines.
	test(context.Context, candidate) (algo.Outcome, error)
	learn(candidate, algo.Outcome)
	// doubt forgets interesting candidates.
	doubt()
}

type candidate struct {
	key   oracle.Key
	bytes []byte
}

type test struct{ property oracle.Property }

func (t test) recall(candidate) (r oracle.Recollection, known bool) { return r, false }
func (t test) learn(candidate, algo.Outcome)                        {}
func (t test) doubt()                                               {}
func (t test) test(ctx context.Context, c candidate) (algo.Outcome, error) {
	return t.property(ctx, c.bytes)
}

type journal struct {
	layer
	journal oracle.Journal
}

func (j journal) recall(c candidate) (oracle.Recollection, bool) { return j.journal.Recall(c.key) }
func (j journal) learn(c candidate, o algo.Outcome)              { j.journal.Learn(c.key, o, 0) }
func (j journal) doubt()                                         { j.journal.Doubt() }

func (j journal) test(ctx context.Context, c candidate) (algo.Outcome, error) {
	began := time.Now()
	outcome, err := j.layer.test(ctx, c)
	if err == nil {
		j.journal.Learn(c.key, outcome, time.Since(began))
	}
	return outcome, err
}

// gate replaces Interesting with Unresolved for candidates that are not accepted.
type gate struct {
	layer
	accepts func(candidate []byte) bool
}

func (g gate) recall(c candidate) (oracle.Recollection, bool) {
	r, known := g.layer.recall(c)
	r.Outcome = g.passes(c, r.Outcome)
	return r, known
}

func (g gate) test(ctx context.Context, c candidate) (algo.Outcome, error) {
	outcome, err := g.layer.test(ctx, c)
	if err != nil {
		return outcome, err
	}
	return g.passes(c, outcome), nil
}

func (g gate) passes(c candidate, outcome algo.Outcome) algo.Outcome {
	if outcome == algo.Interesting && !g.accepts(c.bytes) {
		return algo.Unresolved
	}
	return outcome
}
