package oracle

import (
	"context"
	"errors"

	"whittle/algo"
)

// ErrLost means that the end of a test is unknown, for example because its machine went away.
var ErrLost = errors.New("the test was lost")

// An Executor runs tests: in processes of this machine, by a program that stays running, or on a
// cluster.
type Executor interface {
	// Run tests a candidate, which it must not change or keep. It is safe for concurrent use. The
	// error is ctx.Err(), an [*EnvironmentError], or wraps [ErrLost]; then the Run is zero.
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

// Explain tests a candidate and returns the run with the end of the output.
func (t Test) Explain(ctx context.Context, candidate []byte) (Run, error) {
	t.Spec.KeepOutput = true
	return t.Executor.Run(ctx, t.Spec, candidate)
}
