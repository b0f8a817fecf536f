package oracle

import (
	"context"
	"errors"
	"fmt"
)

// ErrLost says that nobody knows how a test ended, as when the machine that ran it
// went away, and that another attempt may do better.
var ErrLost = errors.New("the test was lost")

// Retry runs a test again that its Executor has lost, up to Times in all. What is lost
// each time is an [*EnvironmentError].
type Retry struct {
	Executor Executor
	Times    int
}

// Run is that of an [Executor].
func (r *Retry) Run(ctx context.Context, spec Spec, candidate []byte) (run Run, err error) {
	for range max(r.Times, 1) {
		run, err = r.Executor.Run(ctx, spec, candidate)
		if !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return run, err
		}
	}
	return Run{}, &EnvironmentError{Err: fmt.Errorf("%w (tried %d times)", err, max(r.Times, 1))}
}
