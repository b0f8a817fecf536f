package reduction

import (
	"cmp"
	"context"
	"sync"
	"time"

	"whittle/algo"
	"whittle/internal/interrupt"
	"whittle/oracle"
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
// is left: on a cluster and for a wide search at once, elsewhere without the second if the
// first will do. The error is a [*SenselessError], or of the tests.
func (r *Run) probe(ctx context.Context) error {
	if r.options.Force || r.Input.IsNothing(r.Input.Bytes) {
		return nil
	}
	limited, cancel := ctx, func() {}
	if half := interrupt.Half(ctx); half > 0 {
		limited, cancel = context.WithTimeout(ctx, half)
	}
	defer cancel()
	probes := r.Diagnosis().Probes()
	errs := make([]error, len(probes))
	var all sync.WaitGroup
	for i, candidate := range probes {
		all.Go(func() {
			outcome, err := r.known(limited, candidate)
			switch {
			case limited.Err() != nil && ctx.Err() == nil:
			case err == nil && outcome == algo.Interesting:
				errs[i] = &SenselessError{Garbage: i == 1}
			default:
				errs[i] = err
			}
		})
		if r.options.Reduce.Wide == 0 && r.Remote == nil {
			if all.Wait(); errs[i] != nil {
				break
			}
		}
	}
	all.Wait()
	return cmp.Or(errs...)
}

// known asks about a candidate that the journal does not know, and it does then.
func (r *Run) known(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	if outcome, known := r.Journal.Outcome(candidate); known {
		return outcome, nil
	}
	began := time.Now()
	outcome, err := r.Unguarded(ctx, candidate)
	if err == nil && ctx.Err() == nil {
		r.Journal.Learn(oracle.KeyOf(candidate), outcome, time.Since(began))
	}
	return outcome, err
}
