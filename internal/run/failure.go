package run

import (
	"context"
	"errors"
	"strings"

	"whittle/internal/diagnose"
	"whittle/oracle"
)

// readsInput reports whether the candidate is the standard input of a command: no word of it
// is, or has, the candidate's name.
func (s *Run) readsInput(name string) bool {
	if !s.Test.Inline || s.Input.Set != nil {
		return false
	}
	for _, word := range s.Test.Argv[1:] {
		if strings.Contains(word, oracle.Placeholder) || strings.Contains(word, name) {
			return false
		}
	}
	return true
}

// EndsWell reports whether an error of Recognise says that the command exits with 0, as on
// other files.
func EndsWell(err error) bool {
	unknown := (*diagnose.UnknownError)(nil)
	return errors.As(err, &unknown) && unknown.Run.Ended(0)
}

// Recognise finds out what the failure of a command is known by, and takes that for the
// criterion, if the user has said none. Whoever wants that calls it once Start has
// returned. The error may be a [*diagnose.UnknownError].
func (s *Run) Recognise(ctx context.Context) error {
	if !s.Test.Inline || !s.Spec.Interesting.IsZero() {
		return nil
	}
	found, err := s.Diagnosis().Recognise(ctx)
	if err != nil {
		return err
	}
	s.Failure, s.Spec.Interesting = found, found.Criteria
	if found.Limit > 0 {
		s.Spec.Timeout = found.Limit
	}
	return nil
}
