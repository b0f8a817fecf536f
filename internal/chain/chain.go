// Package chain wraps an executor in all that a test needs besides a process. Only [Build] and
// [Chain.SetStages] put the parts together; parts that are off are not built. From the outside
// they are:
//
//	turn              the wait for a worker that runs share
//	confirmation      several tests must agree, once the test has contradicted itself
//	  or Flaky        a sequential test decides, if the failure shows at a measured rate
//	observed          a candidate that fails in another way is reported (bug slippage), and the
//	                  time limit follows the slowest interesting test (adaptive timeout)
//	stages            validity checks follow the test, on interesting candidates only
//	explained         a compiler follows a test that hides its messages
//	retry             a lost test runs again; some exit codes, as of ssh, mean that it was lost
//	overflow          a test without a free slot on this machine runs on the cluster
//	executor          internal/local, internal/server or internal/remote
//
// The cache, the syntax gate and the journal of internal/search precede the chain. Candidates
// enter at the top, by [Chain.Ask]. Probes and single tests of the input enter at observed, by
// Chain.Once; tests without validity checks at the retry, by Chain.Bare.
package chain

import (
	"context"

	"whittle/algo"
	"whittle/internal/rate"
	"whittle/oracle"
)

// A Turn waits for the turn of a test, and returns its error or ctx.Err(). It may cancel a test
// and run it again. [whittle/internal/search.Chance] returns its urgency.
type Turn func(ctx context.Context, test func(context.Context) error) error

// Config configures a Chain. Only Executor is required.
type Config struct {
	Executor oracle.Executor // on this machine
	Programs oracle.Executor // of stages, Jobs at once
	Jobs     int

	Overflow *Overflow // to a cluster; may be nil
	Retry    Retry
	Slack    float64 // time limit, as a multiple of the slowest interesting test
	Repeat   int     // tests that must agree; 0 means 1
	AtOnce   int     // tests at once in Again; 0 means 1
	Turn     Turn    // nil unless runs share the workers

	// Flaky, if not nil, is called from any goroutine when the test first contradicts itself.
	Flaky func(Contradiction)
}

// A Chain runs tests, from several goroutines, but not during SetStages and Watch.
type Chain struct {
	Timeout  AdaptiveTimeout
	Once     oracle.Executor // without confirmation and slippage
	Bare     oracle.Executor // without stages, too, and with the time limit of the Spec
	Programs oracle.Executor // of stages, also of future ones

	config   Config
	slippage slippage
	stages   *Stages // nil without stages
	load     load

	confirmation confirmation // the top
	input        Input
	odds         rate.Odds
	provoked     Provoked
	flaky        *Flaky // replaces confirmation; may be nil
	tests        int    // used before flaky
}

// Build returns a chain without stages.
func Build(config Config) *Chain {
	c := &Chain{config: config, Timeout: AdaptiveTimeout{factor: config.Slack}}
	c.Bare = c.On(config.Overflow.around(config.Executor))
	c.Programs = c.On(limit(config.Programs, config.Jobs))
	c.confirmation = confirmation{repeat: config.Repeat, jobs: config.AtOnce, flaky: config.Flaky}
	c.SetStages(nil, false)
	return c
}

// SetStages makes stages follow the test, or replace it.
func (c *Chain) SetStages(stages []Stage, replace bool) {
	test := c.Bare
	if len(stages) > 0 {
		c.stages = NewStages(test, c.Programs, stages)
		if test = c.stages; replace {
			c.stages.test = nil
		}
	}
	c.Once = &observed{test, &c.Timeout, &slippage{}}
	c.confirmation.executor = &observed{test, &c.Timeout, &c.slippage}
}

// On repeats the lost tests of another executor.
func (c *Chain) On(e oracle.Executor) oracle.Executor { return c.config.Retry.around(e) }

// inTurn calls do when it is its turn.
func inTurn[T any](ctx context.Context, turn Turn, do func(context.Context) (T, error)) (result T, err error) {
	if turn == nil {
		return do(ctx)
	}
	err = turn(ctx, func(ctx context.Context) error {
		result, err = do(ctx)
		return err
	})
	return result, err
}

// Ask tests a candidate, as often as the test must agree with itself.
func (c *Chain) Ask(ctx context.Context, spec oracle.Spec, candidate []byte) (algo.Outcome, error) {
	if c.config.Turn == nil { // as below, with fewer frames
		return c.ask(ctx, spec, candidate)
	}
	return inTurn(ctx, c.config.Turn, func(ctx context.Context) (algo.Outcome, error) {
		return c.ask(ctx, spec, candidate)
	})
}

func (c *Chain) ask(ctx context.Context, spec oracle.Spec, candidate []byte) (algo.Outcome, error) {
	defer c.load.begin()()
	switch {
	case c.flaky != nil:
		return c.flaky.ask(ctx, c.about(spec, candidate))
	case c.isInput(spec, candidate):
		return c.first(ctx, spec, candidate)
	}
	run, err := c.confirmation.now().Run(ctx, spec, candidate)
	oracle.TellReasons(ctx, run)
	return run.Outcome, err
}

// Again tests a formerly interesting candidate, without any cache. Unresolved means that the test contradicts itself.
func (c *Chain) Again(ctx context.Context, spec oracle.Spec, candidate []byte, least int) (algo.Outcome, error) {
	return inTurn(ctx, c.config.Turn, func(ctx context.Context) (algo.Outcome, error) {
		return c.again(ctx, spec, candidate, least)
	})
}

// Unguarded is [Chain.Ask] without stages.
func (c *Chain) Unguarded(ctx context.Context, spec oracle.Spec, candidate []byte) (algo.Outcome, error) {
	if c.stages == nil || c.stages.test == nil {
		return c.Ask(ctx, spec, candidate)
	}
	confirmation := &confirmation{executor: c.Bare, repeat: c.Confirmations()}
	run, err := confirmation.now().Run(ctx, c.Timeout.Limit(spec), candidate)
	return run.Outcome, err
}

// Confirmations returns the number of tests that must agree.
func (c *Chain) Confirmations() int { return c.confirmation.times() }

// Stages returns the stages that were set.
func (c *Chain) Stages() []Stage {
	if c.stages == nil {
		return nil
	}
	return c.stages.stages
}

// Tallies returns the statistics of the test and its stages; nil without stages.
func (c *Chain) Tallies() []Tally {
	if c.stages == nil {
		return nil
	}
	return c.stages.Tallies()
}

type observed struct {
	executor oracle.Executor
	timeout  *AdaptiveTimeout
	slippage *slippage
}

func (o *observed) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	adjusted := o.timeout.Limit(spec)
	if adjusted.Hasty = !spec.KeepOutput; !adjusted.Hasty {
		adjusted = o.timeout.Patient(spec)
	}
	adjusted.KeepOutput = spec.KeepOutput || o.slippage.title != ""
	run, err := o.executor.Run(ctx, adjusted, candidate)
	if err == nil {
		o.timeout.Learn(run)
		o.slippage.look(spec, candidate, run)
	}
	return run, err
}
