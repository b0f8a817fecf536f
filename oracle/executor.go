package oracle

import (
	"context"

	"whittle/algo"
)

// An Executor runs tests. That of package local does it in processes of this machine,
// that of package server asks a program that stays running, that of package remote a cluster.
//
// Others stand around one, each an Executor itself: [Retry], [AdaptiveTimeout] and
// [Confirmer], in this order from the inside.
type Executor interface {
	// Run runs the test on a candidate and returns how it ended, with the outcome that
	// spec makes of that. It may be called from several goroutines at once, and must
	// not change candidate, nor keep it after it returned.
	//
	// With an error the Run is zero. The error is ctx's, an [*EnvironmentError], or
	// wraps [ErrLost]; it is never a verdict.
	Run(ctx context.Context, spec Spec, candidate []byte) (Run, error)
}

// A Test is a Spec and the Executor that runs it.
type Test struct {
	Spec     Spec
	Executor Executor
}

// Ask runs the test on a candidate and returns its outcome. It is a [Property].
func (t Test) Ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	run, err := t.Executor.Run(ctx, t.Spec, candidate)
	return run.Outcome, err
}

// Explain does what Ask does and returns all that is known of the test, with the end
// of what it printed.
func (t Test) Explain(ctx context.Context, candidate []byte) (Run, error) {
	t.Spec.KeepOutput = true
	return t.Executor.Run(ctx, t.Spec, candidate)
}
