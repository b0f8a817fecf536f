package oracle

import (
	"context"
	"errors"

	"whittle/algo"
)

// ErrLost says that the end of a test is unknown, for example because the machine that ran it
// went away. Another attempt may succeed.
var ErrLost = errors.New("the test was lost")

// An Executor runs tests: package internal/local in processes of this machine, package
// internal/server by a program that stays running, and package internal/remote on a cluster.
// Package internal/chain wraps executors.
type Executor interface {
	// Run runs the test on a candidate and returns how it ended, with the outcome by
	// spec. It may be called from several goroutines at once. It must not change
	// candidate, nor keep it after it returns.
	//
	// With an error the Run is zero. The error is ctx.Err(), an [*EnvironmentError], or
	// wraps [ErrLost]. It is never an outcome.
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

// Explain runs the test on a candidate and returns the whole report, with the end of the
// output.
func (t Test) Explain(ctx context.Context, candidate []byte) (Run, error) {
	t.Spec.KeepOutput = true
	return t.Executor.Run(ctx, t.Spec, candidate)
}
