package isolation

import (
	"context"
	"errors"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/reduction"
	"whittle/isolate"
	"whittle/oracle"
)

// Shrink reduces the two files of a result together, as long as the test tells them
// apart. The result has what they came to, also with an error.
func (r *Run) Shrink(ctx context.Context, found *isolate.Result, observe whittle.Observer,
) (reduction.Pair, error) {
	p, err := reduction.ReducePair(ctx, found.Good, found.Bad, whittle.Options{
		Language: r.Pair.Input.Language.Language, Property: r.remembered, Confirm: r.newer(r.Once().Ask),
		Jobs: r.Jobs, Observe: observe,
	})
	if p.Before > 0 {
		found.Good, found.Bad = p.Good, p.Bad
	}
	found.Complete = found.Complete && err == nil
	if errors.Is(err, whittle.ErrUninteresting) {
		err = &isolate.FlakyError{Before: algo.Interesting, Now: algo.Uninteresting}
	}
	return p, err
}

// remembered asks about a single file what the journal does not know: the same file is
// in many pairs.
func (r *Run) remembered(ctx context.Context, file []byte) (algo.Outcome, error) {
	if outcome, known := r.Journal.Outcome(file); known {
		return outcome, nil
	}
	began := time.Now()
	outcome, err := r.newer(r.Ask)(ctx, file)
	if err == nil {
		r.Journal.Learn(oracle.KeyOf(file), outcome, time.Since(began))
	}
	return outcome, err
}
