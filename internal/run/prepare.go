package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"whittle/algo"
	"whittle/internal/arguments"
	"whittle/internal/diagnose"
	"whittle/internal/disk"
	"whittle/internal/includes"
	"whittle/oracle"
)

// Prepare makes of a file that includes files of the user's own, which are not where the
// test runs, one that needs none, and finds out what the failure of the command is known
// by (see [Run.Recognise]). It becomes what the preprocessor of the command makes of
// it; where there is none, or that does not fail, the text of the files comes in the place
// of the lines that include them; or else it stays as it is. With preprocess any file is
// preprocessed.
func (s *Run) Prepare(ctx context.Context, preprocess bool) error {
	if !s.Includes() && !(preprocess && s.isFileOfCommand()) {
		return s.Recognise(ctx)
	}
	whole, original := s.Input.Bytes, s.Spec.Interesting
	title := "" // of the failure of the file as it is, where that is what it is about
	if !s.Includes() {
		if err := s.Recognise(ctx); err != nil {
			return err
		}
		title = s.Failure.Title
	}
	forms, err := s.preprocess(ctx)
	if err != nil {
		return err
	}
	for _, f := range append(forms, s.paste()...) {
		s.Spec.Interesting = original
		s.become(s.Input, f.content)
		err := s.Recognise(ctx)
		if err == nil && !s.Spec.Interesting.IsZero() {
			var outcome algo.Outcome
			outcome, err = s.Once().Ask(ctx, f.content)
			if outcome == algo.Interesting && err == nil && (title == "" || s.Failure.Title == title) {
				s.Prepared = f.what
				return nil
			}
		}
		if unknown := (*diagnose.UnknownError)(nil); err != nil && !errors.As(err, &unknown) {
			return err
		}
	}
	s.become(s.Input, whole)
	s.Spec.Interesting = original
	if preprocess {
		s.Warn(fmt.Sprintf("--preprocess: %s does not fail in the same way when it is preprocessed; going on without",
			s.Input))
	}
	return s.Recognise(ctx)
}

func (s *Run) isFileOfCommand() bool { return s.Test.Inline && s.Input.Set == nil }

// Includes reports whether what a command is about is a file that includes files of the
// user's own.
func (s *Run) Includes() bool { return s.isFileOfCommand() && len(s.paste()) > 0 }

// A form is what a file may become before it is reduced.
type form struct {
	content []byte
	what    string // a sentence
}

// paste returns the file with those of the user's own that it includes, if there are any.
func (s *Run) paste() []form {
	p := includes.Paster{Dirs: arguments.IncludeDirs(s.Spec.Argv), Read: disk.ReadPlain}
	pasted, files := p.Paste(s.Input.Paths[0], s.Input.Bytes)
	if len(files) == 0 {
		return nil
	}
	return []form{{pasted, fmt.Sprintf("%s has the text of %s now, in the place of #include",
		s.Input, strings.Join(files, ", "))}}
}

// preprocess returns what the command makes of the file when it only preprocesses it.
func (s *Run) preprocess(ctx context.Context) (forms []form, err error) {
	file, err := filepath.Abs(s.Input.Paths[0])
	if err != nil {
		return nil, err
	}
	dir, remove, err := s.Scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	output := filepath.Join(dir, "preprocessed")
	for _, command := range arguments.Preprocess(s.Spec.Argv, file, output) {
		programs := s.programs(dir)
		run, err := programs.Run(ctx, oracle.Spec{
			Argv: command, Home: s.Spec.Home, Layout: s.Spec.Layout, Timeout: formatLimit, Limits: s.Limits,
		}, s.Input.Bytes)
		if err != nil {
			return nil, err
		}
		content, err := disk.ReadPlain(output)
		if !run.Ended(0) || err != nil {
			continue
		}
		forms = append(forms, form{content, fmt.Sprintf("%s is reduced as the preprocessor makes it", s.Input)})
	}
	return forms, nil
}
