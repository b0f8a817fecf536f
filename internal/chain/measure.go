package chain

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"whittle/algo"
	"whittle/internal/rate"
	"whittle/oracle"
)

// An Input is the input of a reduction. If the test does not show its failure each time, the rates of input and Probes
// are measured, and Flaky decides about candidates from then on. If only other files differ from run to run, N of N
// tests must agree.
type Input struct {
	Spec   oracle.Spec
	File   []byte
	Probes [2][]byte      // files without the failure
	Runs   oracle.Journal // of runs
	Error  float64        // see Flaky
	Flaky  bool           // the test is known to be flaky
	Failed algo.Outcome   // of a candidate that fails as File never does

	// Settings, as Before of a Spec, may raise the rate. The best one is kept.
	Settings [][]string
	// Shown, if not nil, is called once, when one of the Runs shows the failure.
	Shown func() error
	// Measured, if not nil, gets the measured rates.
	Measured func(context.Context, rate.Odds) error
}

// Expect sets the input. It returns a journal of outcomes, which is empty while runs decide.
func (c *Chain) Expect(in Input) oracle.Journal {
	c.input = in
	return outcomes{in.Runs, c}
}

type outcomes struct {
	oracle.Journal
	chain *Chain
}

func (o outcomes) Recall(k oracle.Key) (r oracle.Recollection, known bool) {
	if o.chain.flaky != nil {
		return r, false
	}
	return o.Journal.Recall(k)
}

func (o outcomes) Learn(k oracle.Key, outcome algo.Outcome, elapsed time.Duration, reasons ...string) {
	if o.chain.flaky == nil {
		o.Journal.Learn(k, outcome, elapsed, reasons...)
	}
}

func (o outcomes) Doubt() {
	if o.chain.flaky == nil {
		o.Journal.Doubt()
	}
}

// Flaky returns what decides about candidates of a flaky test; nil for others.
func (c *Chain) Flaky() *Flaky { return c.flaky }

// Lacks reports whether new runs confirm that a candidate, which Flaky rejects, shows the failure more rarely.
func (c *Chain) Lacks(ctx context.Context, spec oracle.Spec, candidate []byte) (bool, error) {
	s, test := c.about(spec, candidate), c.flaky.now
	s.series, test.Missed = lackingSeries, c.flaky.Error
	_, holds, err := c.flaky.decide(ctx, s, test, rate.Count{})
	return !holds, err
}

// Odds returns the rates that were measured; zero before.
func (c *Chain) Odds() rate.Odds { return c.odds }

// Measured reports whether an earlier reduction has measured the rates.
func (c *Chain) Measured() bool {
	if !c.measures() {
		return false
	}
	s := c.subject()
	_, known := c.input.Runs.Recall(s.runKey(0))
	return known
}

// measures reports whether rates can be measured. With Repeat, N of N tests must agree instead.
func (c *Chain) measures() bool { return c.input.Runs != nil && c.config.Repeat <= 1 && c.flaky == nil }

func (c *Chain) isInput(spec oracle.Spec, candidate []byte) bool {
	return c.measures() && bytes.Equal(candidate, c.input.File) && slices.Equal(spec.Argv, c.input.Spec.Argv)
}

func (c *Chain) subject() subject {
	return c.about(c.input.Spec, c.input.File)
}

// first asks about the input, and measures its rate if the test does not find it interesting at once.
func (c *Chain) first(ctx context.Context, spec oracle.Spec, candidate []byte) (algo.Outcome, error) {
	var seen rate.Count
	if !c.input.Flaky && !c.Measured() {
		run, err := c.confirmation.now().Run(ctx, spec, candidate)
		if oracle.TellReasons(ctx, run); run.Outcome != algo.Uninteresting || err != nil {
			return run.Outcome, err
		}
		s := c.subject()
		c.input.Runs.Learn(s.runKey(0), run.Outcome, run.Elapsed)
		seen.Runs++
	}
	flaky, err := c.measure(ctx, seen)
	return outcomeOf(flaky || c.odds.With.Yes > 0 && c.odds.Steady()), err
}

// Measure measures the rates, unless each run of the input shows the failure. It reports whether Flaky decides from now
// on.
func (c *Chain) Measure(ctx context.Context) (flaky bool, err error) {
	return inTurn(ctx, c.config.Turn, func(ctx context.Context) (bool, error) { return c.measure(ctx, rate.Count{}) })
}

func (c *Chain) measure(ctx context.Context, seen rate.Count) (bool, error) {
	if !c.measures() || c.odds != (rate.Odds{}) {
		return c.flaky != nil, nil
	}
	f := &Flaky{Error: c.input.Error, runs: c.input.Runs, failed: c.input.Failed}
	f.shown = sync.OnceValue(func() error {
		if c.input.Shown == nil {
			return nil
		}
		return c.input.Shown()
	})
	if c.config.Turn == nil {
		f.slots = &slots{free: max(c.config.AtOnce, 1)}
	}
	seen, err := c.provoke(ctx, f, seen)
	if err != nil {
		return false, err
	}
	f.files[0], f.counts[0] = c.subject(), seen
	for i, probe := range c.input.Probes {
		f.files[1+i] = about(c.Bare, c.Timeout.Limit(c.input.Spec), probe)
		if c.stages != nil && c.stages.test == nil {
			f.files[1+i].executor = c.confirmation.executor
		}
	}
	differ, err := f.measure(ctx)
	if err != nil {
		return false, err
	}
	if c.odds = f.Odds; differ {
		c.flaky = f
	}
	if c.input.Measured != nil {
		err = c.input.Measured(ctx, c.odds)
	}
	return c.flaky != nil, err
}

// again tests a formerly interesting candidate; see [confirmation.Again]. A contradiction starts to measure the rates,
// and is a fact in the journal. If Flaky decides from now on, the outcome is Unresolved.
func (c *Chain) again(ctx context.Context, spec oracle.Spec, candidate []byte, least int) (algo.Outcome, error) {
	s := c.about(spec, candidate)
	if c.flaky != nil {
		return c.flaky.confirm(ctx, s)
	}
	contradicted := oracle.KeyOf([]byte("contradiction of " + string(s.key[:])))
	unmeasured := c.measures() && c.odds == (rate.Odds{})
	if unmeasured {
		if _, known := c.input.Runs.Recall(contradicted); known {
			if flaky, err := c.measure(ctx, rate.Count{}); flaky || err != nil {
				return algo.Unresolved, err
			}
		}
	}
	outcome, err := c.confirmation.Again(ctx, spec, candidate, least)
	if err != nil || !c.confirmation.contradicted() {
		return outcome, err
	}
	if unmeasured {
		c.input.Runs.Learn(contradicted, algo.Unresolved, 0)
		if flaky, err := c.measure(ctx, rate.Count{}); flaky || err != nil {
			return algo.Unresolved, err
		}
	}
	return outcomeOf(outcome == algo.Interesting), nil
}
