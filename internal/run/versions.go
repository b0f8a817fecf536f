package run

import (
	"context"
	"fmt"

	"whittle/algo"
)

// Distinguish finds out whether a command fails in the input or in an old version of it, and makes
// that failure the criterion, unless the user has given one. It is called once Start has returned. The
// error may be a [*whittle/diagnose.PassesError] or a [*whittle/diagnose.UnknownError].
func (s *Run) Distinguish(ctx context.Context, old []byte, oldName string) (inOld bool, err error) {
	if !s.Spec.Interesting.IsZero() {
		return s.asAsked(ctx, old)
	}
	found, err := s.Diagnosis().Distinguish(ctx, old, oldName)
	if err != nil {
		return false, err
	}
	s.Failure, s.Spec.Interesting = found.Failure, found.Criteria
	if found.Limit > 0 {
		s.Spec.Timeout = found.Limit
	}
	if found.Vague && !found.InOld {
		s.Warn(fmt.Sprintf("an empty file fails in the same way, so versions that cannot be built may count as failing; "+
			"a TEST that exits with 125 for those is more reliable than %s", s.Test))
	}
	return found.InOld, nil
}

// asAsked reports whether the old version meets the user's criteria, and the input does not.
func (s *Run) asAsked(ctx context.Context, old []byte) (inOld bool, err error) {
	outcome, err := s.Once().Ask(ctx, s.Input.Bytes)
	if err != nil || outcome == algo.Interesting {
		return false, err
	}
	outcome, err = s.Once().Ask(ctx, old)
	return outcome == algo.Interesting, err
}
