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
	"whittle/oracle"
)

// Prepare recognises the failure as [Run.Recognise] does. Because the test does not find included
// files, it first replaces the file by preprocessor output, or pastes them in. The new form must
// fail in the same way. With preprocess this happens to any file.
func (r *Run) Prepare(ctx context.Context, preprocess bool) error {
	if !r.Includes() && !(preprocess && r.isFileOfCommand()) {
		return r.Recognise(ctx)
	}
	whole, original := r.Input.Bytes, r.Spec.Interesting
	title := "" // of the original failure, if it needs no included files
	if !r.Includes() {
		if err := r.Recognise(ctx); err != nil {
			return err
		}
		title = r.Failure.Title
	}
	forms, err := r.preprocess(ctx)
	if err != nil {
		return err
	}
	for _, f := range append(forms, r.paste()...) {
		r.Spec.Interesting = original
		r.setContent(r.Input, f.content)
		err := r.Recognise(ctx)
		if err == nil && !r.Spec.Interesting.IsZero() {
			var outcome algo.Outcome
			outcome, err = r.Once().Ask(ctx, f.content)
			if outcome == algo.Interesting && err == nil && (title == "" || r.Failure.Title == title) {
				r.Prepared = f.what
				return nil
			}
		}
		if unknown := (*diagnose.UnknownError)(nil); err != nil && !errors.As(err, &unknown) {
			return err
		}
	}
	r.setContent(r.Input, whole)
	r.Spec.Interesting = original
	if preprocess {
		r.Warn(fmt.Sprintf("--preprocess: %s does not fail in the same way when it is preprocessed; going on without",
			r.Input))
	}
	return r.Recognise(ctx)
}

func (r *Run) isFileOfCommand() bool { return r.Test.Inline && r.Input.Set == nil }

// Includes reports whether a command's input includes files of the user.
func (r *Run) Includes() bool { return r.isFileOfCommand() && len(r.paste()) > 0 }

// A form may replace the input.
type form struct {
	content []byte
	what    string // a message
}

func (r *Run) paste() []form {
	p := arguments.Paster{Dirs: arguments.IncludeDirs(r.Spec.Argv), Read: disk.ReadPlain}
	pasted, files := p.Paste(r.Input.Paths[0], r.Input.Bytes)
	if len(files) == 0 {
		return nil
	}
	return []form{{pasted, fmt.Sprintf("%s has the text of %s now, in the place of #include",
		r.Input, strings.Join(files, ", "))}}
}

func (r *Run) preprocess(ctx context.Context) (forms []form, err error) {
	file, err := filepath.Abs(r.Input.Paths[0])
	if err != nil {
		return nil, err
	}
	dir, remove, err := r.Scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	output := filepath.Join(dir, "preprocessed")
	for _, command := range arguments.Preprocess(r.Spec.Argv, file, output) {
		run, err := r.programs(dir).Run(ctx, oracle.Spec{
			Argv: command, Home: r.Spec.Home, Layout: r.Spec.Layout, Timeout: formatLimit, Limits: r.Limits,
		}, r.Input.Bytes)
		if err != nil {
			return nil, err
		}
		if content, err := disk.ReadPlain(output); run.Ended(0) && err == nil {
			forms = append(forms, form{content, fmt.Sprintf("%s is reduced as the preprocessor makes it", r.Input)})
		}
	}
	return forms, nil
}
