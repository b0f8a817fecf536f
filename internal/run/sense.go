package run

import (
	"cmp"
	"context"
	"sync"
	"time"

	"whittle/algo"
	"whittle/internal/interrupt"
	"whittle/oracle"
)

// A SenselessError reports that a file that cannot have the bug is interesting. The reduction
// would end there.
type SenselessError struct{ Garbage bool } // otherwise an empty file

func (e *SenselessError) Error() string {
	if e.Garbage {
		return "the test finds garbage interesting"
	}
	return "the test finds an empty file interesting"
}

// probe tests an empty file and garbage, in half of the remaining time. Both run at once on a
// cluster and in a wide search; otherwise garbage follows only an uninteresting empty file. The
// error may be a [*SenselessError].
func (r *Run) probe(ctx context.Context) error {
	if r.Force || r.Input.IsNothing(r.Input.Bytes) {
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
		if r.Search.Wide == 0 && r.Remote == nil {
			if all.Wait(); errs[i] != nil {
				break
			}
		}
	}
	all.Wait()
	return cmp.Or(errs...)
}

// known tests a candidate without validity checks, or takes the journal's outcome.
func (r *Run) known(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	if outcome, known := r.Journal.Outcome(candidate); known {
		return outcome, nil
	}
	began := time.Now()
	outcome, err := r.Chain.Unguarded(ctx, r.Spec, candidate)
	if err == nil && ctx.Err() == nil {
		r.Journal.Learn(oracle.KeyOf(candidate), outcome, time.Since(began))
	}
	return outcome, err
}
