package reduction

import (
	"context"
	"time"

	"whittle/algo"
	"whittle/search"
)

// A SenselessError says that a test finds interesting what cannot have the problem: the
// reduction would end with something like it.
type SenselessError struct{ Garbage bool } // or else what is empty

func (e *SenselessError) Error() string {
	if e.Garbage {
		return "the test finds garbage interesting"
	}
	return "the test finds an empty file interesting"
}

// probe asks about two candidates that cannot have the problem, for half of the time that
// is left. The error is a [*SenselessError], or of the tests.
func (r *Run) probe(ctx context.Context) error {
	if r.options.Force || r.Input.IsNothing(r.Input.Bytes) {
		return nil
	}
	limited, cancel := ctx, func() {}
	if half := r.deadline.Half(); half > 0 {
		limited, cancel = context.WithTimeout(ctx, half)
	}
	defer cancel()
	for i, candidate := range r.Diagnosis().Probes() {
		outcome, known := r.Journal.Outcome(candidate)
		if !known {
			began := time.Now()
			var err error
			outcome, err = r.Unguarded(limited, candidate)
			if limited.Err() != nil && ctx.Err() == nil {
				return nil
			}
			if err != nil {
				return err
			}
			r.Journal.Learn(search.KeyOf(candidate), outcome, time.Since(began))
		}
		if outcome == algo.Interesting {
			return &SenselessError{Garbage: i == 1}
		}
	}
	return nil
}
