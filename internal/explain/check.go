package explain

import (
	"context"
	"errors"

	"whittle/internal/diagnose"
	"whittle/internal/interrupt"
	"whittle/internal/local"
	"whittle/internal/run"
)

// Check reads the inputs and tells what is right and wrong with the test of a run. It stops
// after findings that make the others meaningless. Its error is not about the test.
func Check(ctx context.Context, r *run.Run, inputs []string, tell func(diagnose.Finding)) error {
	err := r.Read(inputs)
	if err == nil {
		err = r.Start(ctx)
	}
	unfit, denied := (*run.UnfitError)(nil), (*local.DeniedError)(nil)
	switch {
	case errors.As(err, &unfit), errors.As(err, &denied):
		tell(diagnose.Finding{Grade: diagnose.Bad, Text: err.Error()})
		return nil
	case err != nil:
		return err
	}
	tell(r.CheckSandbox())
	if r.Cluster() != nil {
		bad := false
		err := r.CheckElsewhere(ctx, func(f diagnose.Finding) {
			bad = bad || f.Grade == diagnose.Bad
			tell(f)
		})
		if err != nil || bad {
			return err
		}
	}
	err = r.Recognise(ctx)
	if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
		tell(diagnose.Finding{Grade: diagnose.Bad, Text: unknown.Error(), Advice: unknown.Advice})
		return nil
	}
	if err != nil {
		return err
	}
	if r.Failure.Title != "" {
		tell(diagnose.Finding{Text: "the failure is recognised by: " + r.Failure.Title})
	}
	var weak, stronger string
	if err = r.Locate(ctx); err == nil {
		weak, stronger, err = Weak(ctx, r)
	}
	if err != nil {
		return interrupt.Cause(ctx, err)
	}
	if weak != "" {
		tell(diagnose.Finding{Grade: diagnose.Note, Text: weak, Advice: stronger})
	}
	test := r.Diagnosis()
	test.Spec.Afresh = true
	if err := test.Check(ctx, r.Jobs, tell); err != nil {
		return err
	}
	return r.Input.CheckReading(tell)
}

// Script reads the inputs and returns the test that the command of a run stands for.
func Script(ctx context.Context, r *run.Run, inputs []string) ([]byte, error) {
	if err := r.ReadFor("to write a test for", inputs); err != nil {
		return nil, err
	}
	if err := r.Start(ctx); err != nil {
		return nil, err
	}
	err := r.Prepare(ctx, false)
	if err == nil {
		err = r.Guard(ctx)
	}
	if err != nil {
		return nil, Unknown(ctx, r, err)
	}
	return r.Script().Bytes()
}
