package oracle

import (
	"context"
	"sync"

	"whittle/algo"
)

// How often a test must agree with itself once it was caught changing its mind,
// and at most.
const (
	doubtful     = 3
	mostDoubtful = 24
)

// A candidate that was interesting, and once was not, is asked so many times more: if
// all but one say yes, it was that one no which was wrong.
const (
	judges    = 5
	agreement = judges - 1
)

// A Confirmer distrusts a test: it takes a candidate for interesting only if
// several tests in a row say so. One test is enough until Repeat says otherwise
// or the test is caught giving two outcomes for the same bytes; from then on
// three must agree, and more each time that a result does not hold.
//
// A Confirmer may be used from several goroutines at once. Its fields must not
// change meanwhile.
type Confirmer struct {
	// Executor runs a test once.
	Executor Executor
	// Repeat is the number of tests that must agree; 0 is 1.
	Repeat int
	// Jobs is how many tests of what is asked about again run at once; 0 is 1.
	Jobs int
	// Flaky is called at the first contradiction, from any goroutine; nil is
	// nobody.
	Flaky func(Contradiction)

	mu     sync.Mutex
	raised int  // what Repeat has come to, if it was raised
	told   bool // Flaky was called
}

// A Contradiction is two tests of the same bytes that do not agree.
type Contradiction struct {
	Candidate   []byte
	Interesting Run
	Other       Run
	// Recalled is false if the candidate was interesting before anybody looked, and was
	// not again; then Interesting is zero.
	Recalled bool
}

// Times returns the number of tests that must agree now.
func (c *Confirmer) Times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.Repeat, c.raised, 1)
}

// Run runs tests until enough agree that candidate is interesting. The first that
// does not decides; after another that did, candidate is Unresolved.
func (c *Confirmer) Run(ctx context.Context, spec Spec, candidate []byte) (Run, error) {
	times := c.Times()
	if times == 1 {
		return c.Executor.Run(ctx, spec, candidate)
	}
	found, other, err := c.ask(ctx, spec, candidate, times, 1)
	switch {
	case err != nil:
		return Run{}, err
	case other == nil:
		return *found, nil
	case found == nil:
		return *other, nil
	}
	c.raise(doubtful)
	c.tell(Contradiction{candidate, *found, *other, true})
	other.Outcome = algo.Unresolved
	return *other, nil
}

// Again asks about a candidate that was interesting before: as often as Run does,
// but at least so many times, and no more than 24, however large Repeat is, for
// Repeat tests have agreed about it already. One no among them is a contradiction.
// Then the test is asked some times more: if it says yes to nearly all of them, it is
// a test that misses what is there, and the candidate is Interesting; if not, it is
// Unresolved, and more tests must agree from then on. All are asked afresh: what others
// remember of the candidate may be wrong.
func (c *Confirmer) Again(ctx context.Context, spec Spec, candidate []byte, least int) (algo.Outcome, error) {
	times := c.Times()
	spec.Afresh = true
	found, other, err := c.ask(ctx, spec, candidate, max(least, min(times, mostDoubtful)), c.Jobs)
	if err != nil {
		return algo.Unresolved, err
	}
	if other == nil {
		return algo.Interesting, nil
	}
	yes := 0
	for asked := 0; asked < judges && (found == nil || asked-yes <= judges-agreement); asked++ {
		again, _, err := c.ask(ctx, spec, candidate, 1, 1)
		if err != nil {
			return algo.Unresolved, err
		}
		if again != nil {
			found = again
			yes++
		}
	}
	outcome := algo.Unresolved
	if yes >= agreement {
		outcome = algo.Interesting
		c.raise(doubtful)
	} else {
		c.raise(min(max(2*times, doubtful), mostDoubtful))
	}
	if found != nil {
		c.tell(Contradiction{candidate, *found, *other, true})
	} else {
		c.tell(Contradiction{Candidate: candidate, Other: *other})
	}
	return outcome, nil
}

// ask tests candidate up to times, so many at once, until a test says no. It returns the
// last before that, nil where there was none, and that.
func (c *Confirmer) ask(
	ctx context.Context, spec Spec, candidate []byte, times, jobs int,
) (found, other *Run, err error) {
	spec.KeepOutput = true
	for jobs = max(jobs, 1); times > 0; times -= jobs {
		runs, errs := make([]Run, min(jobs, times)), make([]error, min(jobs, times))
		var all sync.WaitGroup
		for i := range runs {
			all.Go(func() { runs[i], errs[i] = c.Executor.Run(ctx, spec, candidate) })
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

func (c *Confirmer) raise(times int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raised = max(c.raised, times)
}

// tell calls Flaky the first time.
func (c *Confirmer) tell(x Contradiction) {
	c.mu.Lock()
	first := !c.told
	c.told = true
	c.mu.Unlock()
	if first && c.Flaky != nil {
		c.Flaky(x)
	}
}
