package chain

import (
	"context"

	"whittle/oracle"
)

// An explained test shows no messages. A program that shows them runs after it, on large candidates.
type explained struct {
	test, programs oracle.Executor
	argv           []string
}

// Large is the least number of bytes of a candidate whose errors are worth another run.
const Large = 2 << 10

// Explain makes a program run after tests of candidates of at least [Large] bytes that show no errors.
func (c *Chain) Explain(argv []string) {
	c.Bare = &explained{c.Bare, c.Programs, argv}
	c.SetStages(c.Stages(), c.stages != nil && c.stages.test == nil)
}

// Run implements [oracle.Executor]. The outcome is the test's.
func (e *explained) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	run, err := e.test.Run(ctx, spec, candidate)
	if err != nil || spec.Reason == nil || len(run.Reasons) > 0 || len(candidate) < Large {
		return run, err
	}
	spec.Argv, spec.Interesting, spec.KeepOutput = e.argv, oracle.Criteria{}, false
	told, err := e.programs.Run(ctx, spec, candidate)
	run.Reasons = told.Reasons
	return run, err
}
