package isolation

import (
	"context"
	"errors"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/isolate"
	"whittle/oracle"
)

// Shrink reduces the two files together while the test distinguishes them. The result gets them
// even with an error.
func (r *Run) Shrink(ctx context.Context, found *isolate.Result, observe whittle.Observer,
) (Pair, error) {
	p, err := ReducePair(ctx, found.Good, found.Bad, whittle.Options{
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

// remembered tests a file unless the journal knows it: many pairs share files.
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
