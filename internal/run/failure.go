package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/oracle"
)

// readsInput reports whether no argument contains the name of the candidate.
func (r *Run) readsInput(name string) bool {
	if !r.Test.Inline || r.Input.Set != nil {
		return false
	}
	return !slices.ContainsFunc(r.Test.Argv[1:], func(word string) bool {
		return strings.Contains(word, oracle.Placeholder) || strings.Contains(word, name)
	})
}

// EndsWell reports whether Recognise failed because the command exits with 0.
func EndsWell(err error) bool {
	unknown := (*diagnose.UnknownError)(nil)
	return errors.As(err, &unknown) && unknown.Run.Ended(0)
}

// Recognise finds the criterion for a failing command, unless the user gave one. It needs Start.
// The error may be a [*diagnose.UnknownError].
func (r *Run) Recognise(ctx context.Context) error {
	if !r.Test.Inline || !r.Spec.Interesting.IsZero() {
		return nil
	}
	found, err := r.Diagnosis().Recognise(ctx)
	if err == nil {
		r.setFailure(found)
	}
	return err
}

func (r *Run) setFailure(found diagnose.Failure) {
	r.Failure, r.Spec.Interesting = found, found.Criteria
	if found.Limit > 0 {
		r.Spec.Timeout = found.Limit
	}
}

// Distinguish finds whether a command fails on the input or an old version of it; that failure
// becomes the criterion, unless the user gave one. It needs Start. The error may be a
// [*diagnose.PassesError] or a [*diagnose.UnknownError].
func (r *Run) Distinguish(ctx context.Context, old []byte, oldName string) (inOld bool, err error) {
	if !r.Spec.Interesting.IsZero() {
		outcome, err := r.Once().Ask(ctx, r.Input.Bytes)
		if err != nil || outcome == algo.Interesting {
			return false, err
		}
		outcome, err = r.Once().Ask(ctx, old)
		return outcome == algo.Interesting, err
	}
	found, err := r.Diagnosis().Distinguish(ctx, old, oldName)
	if err != nil {
		return false, err
	}
	r.setFailure(found.Failure)
	if found.Vague && !found.InOld {
		r.Warn(fmt.Sprintf("an empty file fails in the same way, so versions that cannot be built may count as failing; "+
			"a TEST that exits with 125 for those is more reliable than %s", r.Test))
	}
	return found.InOld, nil
}
