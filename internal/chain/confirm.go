package chain

import (
	"context"
	"sync"

	"whittle/algo"
	"whittle/oracle"
)

// Numbers of tests that must agree after the test contradicted itself.
const (
	firstRaise   = 3
	highestRaise = 24
)

// A candidate that was interesting before and is not now is tested up to tieTests times more.
// If tieYes of those tests say yes, the one no was wrong.
const (
	tieTests = 5
	tieYes   = tieTests - 1
)

// A confirmation accepts a candidate only if several tests in a row find it interesting. One
// test is enough until repeat asks for more or the test gives two outcomes for the same
// bytes. From then on three must agree, and more each time that a result does not hold.
type confirmation struct {
	executor oracle.Executor
	repeat   int // tests that must agree; 0 means 1
	jobs     int // tests at once in Again; 0 means 1
	flaky    func(Contradiction)

	mu       sync.Mutex
	raised   int  // tests that must agree since the last contradiction
	reported bool // flaky was called
}

// A Contradiction is two tests of the same bytes with different outcomes.
type Contradiction struct {
	Candidate   []byte
	Interesting oracle.Run
	Other       oracle.Run

	// Recalled is false if the only interesting test was an earlier one, whose Run was not
	// kept. Interesting is zero then.
	Recalled bool
}

// confirm returns a confirmation around an executor.
func (c *Config) confirm(e oracle.Executor) *confirmation {
	return &confirmation{executor: e, repeat: c.Repeat, jobs: c.AtOnce, flaky: c.Flaky}
}

// times returns the number of tests that must agree now.
func (c *confirmation) times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.repeat, c.raised, 1)
}

// Run tests a candidate until enough tests agree that it is interesting. The first other
// outcome decides, but it is Unresolved after an interesting test.
func (c *confirmation) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	times := c.times()
	if times == 1 {
		return c.executor.Run(ctx, spec, candidate)
	}
	found, other, err := c.ask(ctx, spec, candidate, times, 1)
	switch {
	case err != nil:
		return oracle.Run{}, err
	case other == nil:
		return *found, nil
	case found == nil:
		return *other, nil
	}
	c.raise(firstRaise)
	c.report(Contradiction{candidate, *found, *other, true})
	other.Outcome = algo.Unresolved
	return *other, nil
}

// Again tests a candidate that was interesting before: as often as Run does, but at least
// least times, and at most 24 times even if repeat is larger, because repeat tests have
// agreed already. Another outcome is a contradiction. Then up to five more tests follow. If
// four of them find the candidate interesting, it is: the test misses some failures.
// Otherwise it is Unresolved, and more tests must agree from then on. No test may be answered
// from memory, since the remembered outcome may be wrong.
func (c *confirmation) Again(ctx context.Context, spec oracle.Spec, candidate []byte, least int) (algo.Outcome, error) {
	times := c.times()
	spec.Afresh = true
	found, other, err := c.ask(ctx, spec, candidate, max(least, min(times, highestRaise)), c.jobs)
	if err != nil {
		return algo.Unresolved, err
	}
	if other == nil {
		return algo.Interesting, nil
	}
	yes := 0
	for tests := 0; tests < tieTests && (found == nil || tests-yes <= tieTests-tieYes); tests++ {
		run, _, err := c.ask(ctx, spec, candidate, 1, 1)
		if err != nil {
			return algo.Unresolved, err
		}
		if run != nil {
			found = run
			yes++
		}
	}
	outcome := algo.Unresolved
	if yes >= tieYes {
		outcome = algo.Interesting
		c.raise(firstRaise)
	} else {
		c.raise(min(max(2*times, firstRaise), highestRaise))
	}
	if found != nil {
		c.report(Contradiction{candidate, *found, *other, true})
	} else {
		c.report(Contradiction{Candidate: candidate, Other: *other})
	}
	return outcome, nil
}

// ask tests a candidate up to times times, jobs at once, and stops at the first test that
// does not find it interesting. It returns that test and the interesting one before it; nil
// if there is no such test.
func (c *confirmation) ask(
	ctx context.Context, spec oracle.Spec, candidate []byte, times, jobs int,
) (found, other *oracle.Run, err error) {
	spec.KeepOutput = true
	for jobs = max(jobs, 1); times > 0; times -= jobs {
		runs, errs := make([]oracle.Run, min(jobs, times)), make([]error, min(jobs, times))
		var all sync.WaitGroup
		for i := range runs {
			all.Go(func() { runs[i], errs[i] = c.executor.Run(ctx, spec, candidate) })
		}
		all.Wait()
		for i := range runs {
			switch {
			case errs[i] != nil:
				return nil, nil, errs[i]
			case runs[i].Outcome != algo.Interesting:
				return found, &runs[i], nil
			}
			found = &runs[i]
		}
	}
	return found, nil, nil
}

func (c *confirmation) raise(times int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raised = max(c.raised, times)
}

// report calls flaky the first time.
func (c *confirmation) report(x Contradiction) {
	c.mu.Lock()
	first := !c.reported
	c.reported = true
	c.mu.Unlock()
	if first && c.flaky != nil {
		c.flaky(x)
	}
}
