// Package chain wraps an executor in everything that a test needs besides a process. [Build]
// is the only place where the parts are put together. From the outside they are:
//
//	confirmation      several tests must agree, once the test has contradicted itself
//	bug slippage      a candidate that fails in another way is reported
//	adaptive timeout  the time limit follows the slowest interesting test
//	retry             a lost test runs again
//	stages            validity checks follow the test, on interesting candidates only
//	transient exits   some exit codes, as of ssh, mean that the test was lost
//	overflow          a test that finds no free slot on this machine runs on the cluster
//	executor          internal/local, internal/server or internal/remote
//
// Parts that are not configured are left out. The cache, the syntax gate and the journal of
// internal/search precede the chain. Candidates enter at the top, by [Chain.Ask]. Probes and
// single tests of the input enter at the timeout, by [Chain.Once], and tests without
// validity checks at the retry, by [Chain.Bare].
package chain

import (
	"context"

	"whittle/algo"
	"whittle/oracle"
)

// A Middleware wraps an executor in another one.
type Middleware func(oracle.Executor) oracle.Executor

// A Turn runs a test when its turn has come, and returns the error of the test or of ctx. It
// may cancel a test and run it again later. [whittle/internal/search.Chance] tells from ctx
// how urgent the test is.
type Turn func(ctx context.Context, test func(context.Context) error) error

// Config configures a Chain. Only Executor is required.
type Config struct {
	Executor oracle.Executor // runs the test on this machine
	Programs oracle.Executor // runs the programs of stages
	Jobs     int             // programs of stages that run at once

	Overflow *Overflow // to a cluster; nil means none
	Retry    Retry
	Slack    float64 // time limit of a candidate, as a multiple of the slowest interesting test
	Repeat   int     // tests that must agree; 0 means 1
	AtOnce   int     // tests of one candidate at once when it is confirmed again; 0 means 1
	Turn     Turn    // nil if no other run shares the workers

	// Flaky, if not nil, is called when the test first contradicts itself, from any goroutine.
	Flaky func(Contradiction)
}

// A Chain runs tests. It may be used from several goroutines at once, but not during calls of
// SetStages and Watch.
type Chain struct {
	Timeout AdaptiveTimeout

	config   Config
	slippage slippage
	stages   *Stages // nil if there are none
	replaced bool    // by the stages, which are the whole test
	load     load

	confirmation *confirmation   // the top
	once         oracle.Executor // without confirmation and slippage
	bare         oracle.Executor // without stages, too
	programs     oracle.Executor // for the programs of stages
}

// Build returns a chain without stages.
func Build(config Config) *Chain {
	c := &Chain{config: config, Timeout: AdaptiveTimeout{factor: config.Slack}}
	c.build()
	return c
}

// build wraps the executor, from the inside.
func (c *Chain) build() {
	retry, transientExits := c.config.Retry.retry(), c.config.Retry.transientExits()
	test := wrap(c.config.Executor, transientExits, c.config.Overflow.middleware())
	stages := c.stagesAround()

	c.programs = wrap(c.config.Programs, transientExits, limit(c.config.Jobs))
	c.bare = wrap(test, retry)
	c.once = wrap(test, observe(&c.Timeout), retry, stages)
	c.confirmation = c.config.confirm(wrap(test, observe(&c.slippage, &c.Timeout), retry, stages))
}

// wrap puts middleware around an executor, the first outermost. It skips nil.
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

// stagesAround returns nil if there are no stages.
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

// Again tests a candidate that was interesting before, least times or more; see
// [confirmation.Again].
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

// Bare returns the chain without stages. Its time limit is that of the Spec.
func (c *Chain) Bare() oracle.Executor { return c.bare }

// Unguarded tests a candidate as [Chain.Ask] does, but without stages.
func (c *Chain) Unguarded(ctx context.Context, spec oracle.Spec, candidate []byte) (algo.Outcome, error) {
	if c.stages == nil || c.replaced {
		return c.Ask(ctx, spec, candidate)
	}
	confirmation := &confirmation{executor: c.bare, repeat: c.Confirmations()}
	run, err := confirmation.Run(ctx, c.Timeout.Limit(spec), candidate)
	return run.Outcome, err
}

// On returns what runs a test by another executor, with retry and transient exits.
func (c *Chain) On(e oracle.Executor) oracle.Executor {
	return wrap(e, c.config.Retry.retry(), c.config.Retry.transientExits())
}

// Programs returns an executor for programs that are candidates for stages.
func (c *Chain) Programs() oracle.Executor { return wrap(c.programs, c.config.Retry.retry()) }

// Confirmations returns the number of tests that must agree now.
func (c *Chain) Confirmations() int { return c.confirmation.times() }

// Tallies returns the statistics of the test and its stages; nil if there are no stages.
func (c *Chain) Tallies() []Tally {
	if c.stages == nil {
		return nil
	}
	return c.stages.Tallies()
}

// An observer adjusts tests before they run and looks at how they end.
type observer interface {
	before(oracle.Spec) oracle.Spec
	after(spec oracle.Spec, candidate []byte, run oracle.Run)
}

// observed calls observers around an executor. It is one frame of the stack for all of them.
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
