package failure

import (
	"context"
	"sync/atomic"

	"whittle/algo"
	"whittle/oracle"
)

// A Drift is an executor that looks at how another's tests fail, where one failure is
// looked for: a candidate that crashes in another way is not interesting, but it may show
// another bug. It may be used from several goroutines.
type Drift struct {
	Executor oracle.Executor
	Title    string // of the failure that is looked for; "" is none, and nothing is looked at
	// Other is told of a strong signature with another title, and of the test that showed
	// it, from any goroutine.
	Other func(s Signature, by oracle.Spec, candidate []byte)

	refused atomic.Int64
}

// Refused returns how many tests failed in another way.
func (d *Drift) Refused() int { return int(d.refused.Load()) }

// Run is that of an [oracle.Executor].
func (d *Drift) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	if d.Title == "" {
		return d.Executor.Run(ctx, spec, candidate)
	}
	spec.KeepOutput = true
	run, err := d.Executor.Run(ctx, spec, candidate)
	if err != nil || run.Outcome == algo.Interesting {
		return run, err
	}
	// Where no end is, or too much memory, the limit may be to blame.
	if s, ok := Of(run); ok && s.Title != d.Title && s.Kind != Hang && s.Kind != Memory {
		d.refused.Add(1)
		d.Other(s, spec, candidate)
	}
	return run, nil
}
