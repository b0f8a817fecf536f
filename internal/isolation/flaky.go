package isolation

import (
	"cmp"
	"context"
	"errors"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/isolate"
	"whittle/oracle"
)

// failing returns the name of the failing version.
func (r *Run) failing() string {
	if r.InOld {
		return r.Pair.Good
	}
	return r.Pair.Bad
}

// expect tells the chain the failing version; the other one has the background's rate. It returns the journal of
// outcomes.
func (r *Run) expect(ctx context.Context) (oracle.Journal, error) {
	failing, other := r.Pair.Changes.All(), r.Pair.Changes.Make(nil)
	if r.InOld {
		failing, other = other, failing
	}
	facts := r.Chain.Expect(chain.Input{
		Spec: r.Spec, File: failing, Probes: [2][]byte{other, r.Diagnosis().Probes()[0]}, Runs: r.Journal,
		Error: r.FlakyError, Failed: algo.Unresolved, Shown: r.BeginJournal, Measured: r.Measured,
	})
	if !r.Chain.Measured() {
		return facts, nil
	}
	_, err := r.Chain.Measure(ctx)
	return facts, err
}

// mostFinds limits the searches of a flaky test.
const mostFinds = 10

// find searches again if the test contradicts itself. Confirmed outcomes are kept.
func (r *Run) find(ctx context.Context, o isolate.Options) (found isolate.Result, err error) {
	confirmed := map[oracle.Key]algo.Outcome{} // by the last confirmation of a flaky test
	o.Property = r.newer(func(ctx context.Context, file []byte) (algo.Outcome, error) {
		if outcome, known := confirmed[oracle.KeyOf(file)]; known {
			return outcome, nil
		}
		return r.Ask(ctx, file)
	})
	o.Confirm = r.newer(func(ctx context.Context, file []byte) (algo.Outcome, error) {
		outcome, err := r.confirm(ctx, file)
		if err == nil && r.Chain.Flaky() != nil {
			confirmed[oracle.KeyOf(file)] = outcome
		}
		return outcome, err
	})
	for range mostFinds {
		found, err = isolate.Find(ctx, o)
		if !errors.As(err, new(*isolate.FlakyError)) {
			return found, err
		}
		if flaky, failed := r.Chain.Measure(ctx); !flaky || failed != nil {
			return found, cmp.Or(failed, err)
		}
	}
	return found, err
}

// confirm tests a version again: by new runs if the test is flaky.
func (r *Run) confirm(ctx context.Context, file []byte) (algo.Outcome, error) {
	if r.Chain.Flaky() == nil {
		return r.Afresh().Ask(ctx, file)
	}
	outcome, err := r.Ask(ctx, file)
	if outcome == algo.Interesting && err == nil {
		return r.Chain.Again(ctx, r.Spec, file, 1)
	}
	lacks, err := r.Chain.Lacks(ctx, r.Spec, file)
	if lacks || err != nil {
		return algo.Uninteresting, err
	}
	return algo.Interesting, nil
}
