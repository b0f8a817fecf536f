// Package chain wraps an executor in all that a test needs besides a process. Only [Build] puts
// the parts together. From the outside they are:
//
//	confirmation      several tests must agree, once the test has contradicted itself
//	bug slippage      a candidate that fails in another way is reported
//	adaptive timeout  the time limit follows the slowest interesting test
//	retry             a lost test runs again
//	stages            validity checks follow the test, on interesting candidates only
//	transient exits   some exit codes, as of ssh, mean that the test was lost
//	overflow          a test without a free slot on this machine runs on the cluster
//	executor          internal/local, internal/server or internal/remote
//
// The cache, the syntax gate and the journal of internal/search precede the chain. Candidates
// enter at the top, by [Chain.Ask]. Probes and single tests of the input enter at the timeout, by
// [Chain.Once]; tests without validity checks at the retry, by [Chain.Bare].
package chain

import (
	"context"

	"whittle/algo"
	"whittle/oracle"
)

// A Middleware wraps an executor in another one.
type Middleware func(oracle.Executor) oracle.Executor

// A Turn waits for the turn of a test, and returns the error of the test or of ctx. It may cancel
// a test and run it again later. [whittle/internal/search.Chance] tells its urgency from ctx.
type Turn func(ctx context.Context, test func(context.Context) error) error

// Config configures a Chain. Only Executor is required.
type Config struct {
	Executor oracle.Executor // on this machine
	Programs oracle.Executor // of stages
	Jobs     int             // programs of stages at once

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
	Timeout AdaptiveTimeout

	config   Config
	slippage slippage
	stages   *Stages
	replaced bool // by the stages
	load     load

	confirmation *confirmation   // the top
	once         oracle.Executor // without confirmation and slippage
	bare         oracle.Executor // without stages, too
	programs     oracle.Executor // for stages
}

// Build returns a chain without stages.
func Build(config Config) *Chain {
	c := &Chain{config: config, Timeout: AdaptiveTimeout{factor: config.Slack}}
	c.build()
	return c
}

func (c *Chain) build() {
	retry, transientExits := c.config.Retry.retry(), c.config.Retry.transientExits()
	test := wrap(c.config.Executor, transientExits, c.config.Overflow.middleware())
	stages := c.stagesAround()

	c.programs = wrap(c.config.Programs, transientExits, limit(c.config.Jobs))
	c.bare = wrap(test, retry)
	c.once = wrap(test, observe(&c.Timeout), retry, stages)
	c.confirmation = c.config.confirm(wrap(test, observe(&c.slippage, &c.Timeout), retry, stages))
}

// wrap puts middleware around an executor, the first outermost; nil is skipped.
func wrap(e oracle.Executor, all ...Middleware) oracle.Executor {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i] != nil {
			e = all[i](e)
		}
	}
	return e
}

// SetStages makes stages follow the test, or replace it.
func (c *Chain) SetStages(stages []Stage, replace bool) {
	c.stages = NewStages(nil, c.programs, stages)
	c.replaced = replace
	c.build()
}

// Stages returns the stages that were set.
func (c *Chain) Stages() []Stage {
	if c.stages == nil {
		return nil
	}
	return c.stages.stages
}

func (c *Chain) stagesAround() Middleware {
	if c.stages == nil {
		return nil
	}
	return func(test oracle.Executor) oracle.Executor {
		if !c.replaced {
			c.stages.test = test
		}
		return c.stages
	}
}

// Ask tests a candidate, as often as the test must agree with itself.
func (c *Chain) Ask(ctx context.Context, spec oracle.Spec, candidate []byte) (outcome algo.Outcome, err error) {
	if c.config.Turn == nil {
		defer c.load.begin()()
		run, err := c.confirmation.Run(ctx, spec, candidate)
		return run.Outcome, err
	}
	err = c.config.Turn(ctx, func(ctx context.Context) error {
		defer c.load.begin()()
		run, err := c.confirmation.Run(ctx, spec, candidate)
		outcome = run.Outcome
		return err
	})
	return outcome, err
}

// Again tests a formerly interesting candidate least times or more; see [confirmation.Again].
func (c *Chain) Again(
	ctx context.Context, spec oracle.Spec, candidate []byte, least int,
) (outcome algo.Outcome, err error) {
	if c.config.Turn == nil {
		return c.confirmation.Again(ctx, spec, candidate, least)
	}
	err = c.config.Turn(ctx, func(ctx context.Context) (err error) {
		outcome, err = c.confirmation.Again(ctx, spec, candidate, least)
		return err
	})
	return outcome, err
}

// Once returns the chain without confirmation and slippage.
func (c *Chain) Once() oracle.Executor { return c.once }

// Bare returns the chain without stages, and with the time limit of the Spec.
func (c *Chain) Bare() oracle.Executor { return c.bare }

// Unguarded is [Chain.Ask] without stages.
func (c *Chain) Unguarded(ctx context.Context, spec oracle.Spec, candidate []byte) (algo.Outcome, error) {
	if c.stages == nil || c.replaced {
		return c.Ask(ctx, spec, candidate)
	}
	confirmation := &confirmation{executor: c.bare, repeat: c.Confirmations()}
	run, err := confirmation.Run(ctx, c.Timeout.Limit(spec), candidate)
	return run.Outcome, err
}

// On wraps another executor in retry and transient exits.
func (c *Chain) On(e oracle.Executor) oracle.Executor {
	return wrap(e, c.config.Retry.retry(), c.config.Retry.transientExits())
}

// Programs returns an executor for programs of future stages.
func (c *Chain) Programs() oracle.Executor { return wrap(c.programs, c.config.Retry.retry()) }

// Confirmations returns the number of tests that must agree.
func (c *Chain) Confirmations() int { return c.confirmation.times() }

// Tallies returns the statistics of the test and its stages; nil without stages.
func (c *Chain) Tallies() []Tally {
	if c.stages == nil {
		return nil
	}
	return c.stages.Tallies()
}

// An observer adjusts tests before they run and sees their ends.
type observer interface {
	before(oracle.Spec) oracle.Spec
	after(spec oracle.Spec, candidate []byte, run oracle.Run)
}

// observed calls all observers in a single stack frame.
type observed struct {
	executor  oracle.Executor
	observers []observer
}

func observe(observers ...observer) Middleware {
	return func(e oracle.Executor) oracle.Executor { return &observed{e, observers} }
}

// Run implements [oracle.Executor].
func (o *observed) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	adjusted := spec
	for _, observer := range o.observers {
		adjusted = observer.before(adjusted)
	}
	run, err := o.executor.Run(ctx, adjusted, candidate)
	if err == nil {
		for _, observer := range o.observers {
			observer.after(spec, candidate, run)
		}
	}
	return run, err
}
