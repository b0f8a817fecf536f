package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/shell"
	"whittle/oracle"
)

// Weak returns which candidates meet the criterion whatever their failure is, as "any death
// by SIGSEGV"; "" if the criterion identifies the failure. Guard has been called before, or
// Locate.
func (s *Run) Weak() string {
	if s.Crash != nil && s.Crash.Title != "" {
		return ""
	}
	return s.Spec.Interesting.Weak()
}

// Locate finds the place of a crash by a signal, as Guard does.
func (s *Run) Locate(ctx context.Context) (err error) {
	s.Crash, err = s.findPlace(ctx, s.finder(), s.guardInput())
	return err
}

// Stronger returns a command line with a stronger criterion than a weak one, and what that
// looks for. It was tried on the input, on an empty file and on garbage.
func (s *Run) Stronger(ctx context.Context) (command, looksFor string, err error) {
	found := s.Failure
	given := !s.Interesting.IsZero()
	if given {
		t := s.Diagnosis()
		t.Spec.Interesting, t.Command = oracle.Criteria{}, true
		found, err = t.Recognise(ctx)
		if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
			return "", "", nil
		}
		if err != nil {
			return "", "", err
		}
	}
	if found.Title != "" && found.Criteria.Weak() == "" && given && s.Test.Inline {
		return s.line(""), found.Title, nil // recognised without flags
	}
	if title, err := s.place(ctx, found); title != "" || err != nil {
		return s.line(""), title, err
	}
	for _, signature := range slices.Concat([]failure.Signature{found.Signature}, found.Others, found.Own) {
		flags := diagnose.Flags(signature)
		if signature.Title != "" && signature.Criteria.Weak() == "" && flags != "" {
			return s.line(flags), signature.Title, nil
		}
	}
	return "", "", nil
}

// place returns the title of the place of a crash that is found without the flags that are
// given; "" if it is not.
func (s *Run) place(ctx context.Context, found diagnose.Failure) (title string, err error) {
	if !s.Test.Inline || s.Interesting.IsZero() && !s.Valid.Off && s.Valid.Command == "" {
		return "", nil // it was looked for
	}
	was, interesting, valid, crash := s.Failure, s.Spec.Interesting, s.Valid, s.Crash
	defer func() { s.Failure, s.Spec.Interesting, s.Valid, s.Crash = was, interesting, valid, crash }()
	s.Failure, s.Spec.Interesting, s.Valid = found, found.Criteria, Valid{}
	if err := s.Locate(ctx); err != nil || s.Crash == nil {
		return "", err
	}
	return s.Crash.Title, nil
}

// line returns a command line that reduces the input by the test, with some flags.
func (s *Run) line(flags string) string {
	words := []string{"whittle"}
	if flags != "" {
		words = append(words, flags)
	}
	if s.Test.Inline {
		return strings.Join(append(words, shell.Join(s.Input.Paths), "--", s.Test.String()), " ")
	}
	return strings.Join(append(words, s.Test.String(), shell.Join(s.Input.Paths)), " ")
}
