package failure

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"whittle/algo"
	"whittle/oracle"
)

// A Drift is an executor that looks at how another's tests fail, where one failure is
// looked for: a candidate that crashes in another way is not interesting, but it may show
// another bug. It may be used from several goroutines.
type Drift struct {
	Executor oracle.Executor
	Title    string  // of the failure that is looked for; "" is none, and nothing is looked at
	Callers  []Frame // that the failure must have, too
	// Other is told of a strong signature with another title or without these callers, and of
	// the test that showed it, from any goroutine.
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
	if s, ok := Of(run); ok && d.isOther(s, run) && s.ofTool(&spec) {
		if s.Title == d.Title {
			s.Title = s.Called()
		}
		d.refused.Add(1)
		d.Other(s, spec, candidate)
	}
	return run, nil
}

// isOther reports whether a signature of a run is that of another failure.
func (d *Drift) isOther(s Signature, run oracle.Run) bool {
	isMissing := func(f Frame) bool { return !f.Printed(run.Output) }
	return s.Title != d.Title || slices.ContainsFunc(d.Callers, isMissing)
}

// ofTool reports whether it is the tool that fails, as far as that can be said: not the
// candidate, which may be a program that runs, nor a limit, which may be too tight.
func (s Signature) ofTool(spec *oracle.Spec) bool {
	return s.Kind != Hang && s.Kind != Memory &&
		!strings.Contains(s.Title, filepath.Base(spec.Name)) && !strings.Contains(s.Title, "<stdin>")
}
