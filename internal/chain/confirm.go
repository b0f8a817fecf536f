package chain

import (
	"context"
	"sync"

	"whittle/algo"
	"whittle/oracle"
)

// Tests that must agree after a contradiction.
const (
	firstRaise   = 3
	highestRaise = 24
)

// A candidate that is no longer interesting gets up to tieTests more tests; tieYes must find it interesting.
const (
	tieTests = 5
	tieYes   = tieTests - 1
)

// A confirmation accepts a candidate only if repeat tests in a row find it interesting. Once two
// outcomes for the same bytes differ, three must agree, and more each time that a result does not
// hold.
type confirmation struct {
	executor oracle.Executor
	repeat   int // see Config
	jobs     int // Config.AtOnce
	flaky    func(Contradiction)

	mu       sync.Mutex
	raised   int // tests that must agree since the last contradiction
	reported bool
}

// A Contradiction is two tests of the same bytes with different outcomes.
type Contradiction struct {
	Candidate   []byte
	Interesting oracle.Run
	Other       oracle.Run

	// Recalled is false if the interesting test was an earlier one. Then Interesting is zero.
	Recalled bool
}

func (c *confirmation) times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.repeat, c.raised, 1)
}

func (c *confirmation) contradicted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reported
}

func (c *confirmation) now() oracle.Executor {
	if c.times() == 1 {
		return c.executor
	}
	return c
}

// Run tests a candidate until enough tests agree. The first other outcome decides, but is Unresolved after an
// interesting test.
func (c *confirmation) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	found, other, err := c.ask(ctx, spec, candidate, c.times(), 1)
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

// Again tests a formerly interesting candidate: as often as Run does, at least least times, and
// at most 24. Another outcome is a contradiction, and up to five more tests follow. If four find
// the candidate interesting, it is: the test misses some failures. Otherwise it is Unresolved,
// and more tests must agree in future. No cache may answer.
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

// ask tests a candidate up to times times, jobs at once, until it is not interesting. It returns
// that test and an interesting one before it, or nil.
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

func (c *confirmation) report(x Contradiction) {
	c.mu.Lock()
	first := !c.reported
	c.reported = true
	c.mu.Unlock()
	if first && c.flaky != nil {
		c.flaky(x)
	}
}
