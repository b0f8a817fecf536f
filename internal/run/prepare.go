package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/disk"
	"whittle/internal/tool"
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
			outcome := algo.Interesting
			for i := 0; i < Confirmations && !original.IsZero() && err == nil && (i == 0 || outcome != algo.Interesting); i++ {
				outcome, err = r.Once().Ask(ctx, f.content)
			}
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
	p := tool.Paster{Dirs: tool.IncludeDirs(r.Spec.Argv), Read: disk.ReadPlain}
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
	contents, err := r.Outputs(ctx, r.Input.Bytes, func(output string) [][]string {
		return tool.Preprocess(r.Spec.Argv, file, output)
	})
	for _, c := range contents {
		forms = append(forms, form{c, fmt.Sprintf("%s is reduced as the preprocessor makes it", r.Input)})
	}
	return forms, err
}

// Outputs runs commands on a candidate. It returns what each that exits with 0 writes to output.
func (r *Run) Outputs(ctx context.Context, candidate []byte, commands func(output string) [][]string,
) (contents [][]byte, err error) {
	dir, remove, err := r.Scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	output := filepath.Join(dir, "output")
	for _, command := range commands(output) {
		run, err := r.Programs(dir).Run(ctx, oracle.Spec{
			Argv: command, Home: r.Spec.Home, Layout: r.Spec.Layout, Timeout: formatLimit, Limits: r.Limits,
		}, candidate)
		if err != nil {
			return nil, err
		}
		if content, err := disk.ReadPlain(output); run.Ended(0) && err == nil {
			contents = append(contents, content)
		}
	}
	return contents, nil
}

// readsInput reports whether no argument contains the name of the candidate, nor a variable with it.
func (r *Run) readsInput(name string) bool {
	return r.isFileOfCommand() && !slices.ContainsFunc(r.Test.Argv[1:], func(word string) bool {
		return strings.Contains(word, oracle.Placeholder) || strings.Contains(word+os.ExpandEnv(word), name)
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
	if r.Known != nil {
		r.setFailure(*r.Known)
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
	r.Spec.Timeout, r.Spec.Idle = cmp.Or(found.Limit, r.Spec.Timeout), found.Idle
	found.Run.Outcome = algo.Interesting
	r.Chain.Timeout.Learn(found.Run)
}

// Distinguish finds whether a command fails on the input or an old version of it; that failure
// becomes the criterion, unless the user gave one. It needs Start. The error may be a
// [*failure.UnfitError] or a [*diagnose.UnknownError].
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

// probe tests an empty file and garbage, in half of the remaining time. Both run at once on a cluster and in a wide
// search; otherwise garbage follows only an uninteresting empty file. If the user gave the criterion, garbage in the
// sources of a directory comes last. The error may be a [*diagnose.SenselessError].
func (r *Run) probe(ctx context.Context) error {
	if r.Force || r.Input.IsNothing(r.Input.Bytes) || r.Chain.Flaky() != nil {
		return nil
	}
	limited, release := Limit(ctx, Half(ctx))
	defer release()
	known := r.Journal.Cached(func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		return r.Chain.Unguarded(ctx, r.Spec, candidate)
	})
	probes := r.Diagnosis().Probes()
	errs := make([]error, len(probes))
	var all sync.WaitGroup
	for i, candidate := range probes {
		all.Go(func() {
			outcome, err := known(limited, candidate)
			switch {
			case limited.Err() != nil && ctx.Err() == nil:
			case err == nil && outcome == algo.Interesting:
				errs[i] = &diagnose.SenselessError{Garbage: i == 1}
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
	err := cmp.Or(errs...)
	if senseless := (*diagnose.SenselessError)(nil); errors.As(err, &senseless) {
		return r.insists(ctx, probes[slices.Index(errs, err)], err)
	}
	if err != nil || r.Failure.Title != "" {
		return err
	}
	broken, err := r.Diagnosis().Careless(func(candidate []byte) (bool, error) {
		outcome, err := known(limited, candidate)
		return outcome == algo.Interesting, err
	})
	switch {
	case broken != nil:
		return r.insists(ctx, broken, &diagnose.SenselessError{Garbage: true})
	case limited.Err() != nil && ctx.Err() == nil:
		return nil
	}
	return err
}

// insists returns senseless if a probe is interesting again. Otherwise the test is flaky.
func (r *Run) insists(ctx context.Context, probe []byte, senseless error) error {
	outcome, err := r.Chain.Unguarded(ctx, r.Spec, probe)
	if outcome == algo.Interesting || err != nil {
		return cmp.Or(err, senseless)
	}
	r.Journal.Learn(oracle.KeyOf(probe), outcome, 0)
	_, err = r.Chain.Measure(ctx)
	return err
}
