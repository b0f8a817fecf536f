package oracle

import (
	"context"
	"errors"

	"whittle/algo"
)

// ErrLost means that the end of a test is unknown, for example because its machine went away.
// Another attempt may succeed.
var ErrLost = errors.New("the test was lost")

// An Executor runs tests: internal/local in processes of this machine, internal/server by a
// program that stays running, and internal/remote on a cluster. Package internal/chain wraps
// executors.
type Executor interface {
	// Run tests a candidate and returns how that ended, with the outcome by spec. It is safe for
	// concurrent use. It must not change candidate, or keep it after it returns.
	//
	// With an error, which is never an outcome, the Run is zero. The error is ctx.Err(), an
	// [*EnvironmentError], or wraps [ErrLost].
	Run(ctx context.Context, spec Spec, candidate []byte) (Run, error)
}

// A Test is a Spec and its Executor.
type Test struct {
	Spec     Spec
	Executor Executor
}

// Ask returns the outcome of a candidate. It is a [Property].
func (t Test) Ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	run, err := t.Executor.Run(ctx, t.Spec, candidate)
	return run.Outcome, err
}

// Explain tests a candidate and returns the whole report, with the end of the output.
func (t Test) Explain(ctx context.Context, candidate []byte) (Run, error) {
	t.Spec.KeepOutput = true
	return t.Executor.Run(ctx, t.Spec, candidate)
}
