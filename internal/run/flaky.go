package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/internal/rate"
	"whittle/internal/shell"
	"whittle/oracle"
)

// expect tells the chain the input, and returns the journal of outcomes.
func (r *Run) expect(ctx context.Context) (oracle.Journal, error) {
	called, _ := r.list.Open(r.candidate())
	flaky := r.Failure.Shows.Runs > 0 || r.Sides != nil && r.Sides.Sometimes
	facts := r.Chain.Expect(chain.Input{
		Spec: called.Spec(r.Spec), File: called.File, Probes: r.Diagnosis().Probes(), Runs: r.Journal, Error: r.FlakyError,
		Flaky: flaky, Shown: r.BeginJournal, Measured: r.Measured, Settings: diagnose.Settings(r.Stress),
	})
	return facts, r.Chain.Provoke(ctx)
}

// Measured tells the rates and the plan, and whether a change of the environment makes the test steady.
func (r *Run) Measured(ctx context.Context, o rate.Odds) error {
	f, p := r.Chain.Flaky(), r.Chain.Provoked()
	if r.Spec.Before = p.Before; p.Before != nil {
		r.Warn(diagnose.Provoked(p))
	}
	if f == nil {
		if n := r.Chain.Confirmations(); n > 1 {
			r.Warn(fmt.Sprintf("continuing with %d confirmations", n))
		}
		return nil
	}
	r.Warn(fmt.Sprintf("%s %s", r.Input, diagnose.Rates(o)))
	tried := oracle.KeyOf([]byte("steady environments"))
	if _, known := r.Journal.Recall(tried); !known && !r.Stress {
		if err := r.Diagnosis().Steady(ctx, o, r.Warn); err != nil {
			return err
		}
		r.Journal.Learn(tried, algo.Unresolved, 0)
	}
	r.Warn(diagnose.Plan(f.Test(), o))
	return nil
}

// raise returns a file that shows the failure more often than the first one, or nil; see [chain.Chain.Raise].
func (r *Run) raise(ctx context.Context, files [][]byte) ([]byte, error) {
	arms := make([]chain.Arm, len(files))
	for i, file := range files {
		arms[i] = arms[0]
		if called, ok := r.list.Open(file); ok {
			arms[i] = chain.Arm{Spec: called.Spec(r.Spec), File: called.File}
		}
	}
	won, err := r.Chain.Raise(ctx, arms)
	if err != nil || won < 0 {
		return nil, err
	}
	if p := r.Chain.Provoked(); !slices.Equal(p.Before, r.Spec.Before) {
		r.Spec.Before = p.Before
		r.Warn(diagnose.Provoked(p))
	}
	return files[won], nil
}

// Sure describes how often a flaky test finds the result interesting, and a command that shows the failure; "" for
// other tests.
func (r *Run) Sure() (text, loop string) {
	f := r.Chain.Flaky()
	if f == nil {
		return "", ""
	}
	path, _ := filepath.Abs(r.Out.File())
	spec, copied := r.called.Spec(r.Spec), "cp "+shell.Quote(path)+" "+shell.Quote(r.Spec.Layout.Name)
	if r.Input.Set != nil {
		copied = "cp -R " + shell.Quote(path) + "/. ."
	}
	held, _ := f.Held()
	return diagnose.Held(f, r.Input.String(), f.Holds(spec, r.best)), shell.Repeat(copied, held.Needed(), r.InShell(spec))
}

func flakyPaths(out *output.Output) []string {
	return []string{out.Sidecar(".flaky-1.txt"), out.Sidecar(".flaky-2.txt")}
}

// contradicted reports two outcomes of a file, and writes their outputs.
func (r *Run) contradicted(x chain.Contradiction) {
	if r.Out == nil {
		return
	}
	text, outputs := diagnose.Contradiction(x)
	paths := flakyPaths(r.Out)
	kept := fmt.Sprintf("%s and %s have the two outputs", paths[0], paths[1])
	if err := errors.Join(output.WriteAnew(paths[0], outputs[0]), output.WriteAnew(paths[1], outputs[1])); err != nil {
		kept = fmt.Sprintf("the two outputs cannot be kept: %v", err)
	}
	r.record.Flaky(text)
	r.Warn(text + "; " + kept)
}
