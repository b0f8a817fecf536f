// Package isolate finds what makes one version of a file, or of many, interesting and
// another not. By delta debugging it comes to the fewest changes that make the one
// interesting, or to two versions between them, one of them interesting, that differ in
// as few changes as possible.
//
// [Find] is the front door, for the [Changes] that [Files] or a [Project] have.
// [Minimise] and [Differ] are the searches that it runs, over numbered changes; they know
// nothing of files.
package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// Options says what to compare and how. Changes and Property are needed; the zero value
// of everything else is a default.
type Options struct {
	Changes  *Changes
	Property oracle.Property // decides about all versions
	// By minimises the changes that make the good version interesting. Nil looks for the
	// smallest difference instead.
	By   Algorithm
	Jobs int // tests at once; 0 is 1. The result does not depend on it.

	MaxTests int // the search ends after so many; 0 is no limit

	// Journal, if it is not nil, answers before Property, also for the two versions, and
	// learns the outcomes of Property.
	Journal oracle.Journal
	// Confirm tests the result again, anew and without a cache; nil is Property.
	Confirm oracle.Property

	// Started is called once the good version is known to be uninteresting and the bad
	// one to be interesting. Its error ends the isolation.
	Started func() error
	// Improved is called with each smaller difference, in order. Its error ends the
	// isolation.
	Improved func(Result) error
	// Decided is called for each candidate, in order.
	Decided func(Decision)
}

// A Decision is what became of one candidate.
type Decision struct {
	oracle.Answer
	Accepted bool // it has made the difference smaller
	Left     int  // changes that make the difference so far, of the finest level
	Changes  int  // from the good version to the bad one
	Bytes    int  // of the candidate
	Tests    int  // run so far
}

// Result is what an isolation came to.
type Result struct {
	Difference        // between the two sides
	Good, Bad  []byte // the two sides, the good version itself if changes were minimised; nil if nothing was compared
	Left       int    // changes from one to the other, of the finest level
	Changes    int    // from the good version to the bad one
	Tests      int    // tests whose outcome was used, without those of the two versions and of Confirm
	Replayed   int    // of these, those that an earlier run had done
	Cached     int    // candidates that were known already
	Cancelled  int    // tests started in vain
	TestTime   time.Duration
	Complete   bool // the result is minimal, and was confirmed
}

// ErrSame says that the two versions are the same.
var ErrSame = errors.New("the two versions are the same")

// A VersionError says that a version does not have the outcome that it is to have.
type VersionError struct {
	Bad     bool // it is Options.Bad, not Options.Good
	Outcome algo.Outcome
}

func (e *VersionError) Error() string {
	version := "good"
	if e.Bad {
		version = "bad"
	}
	return fmt.Sprintf("the %s version is %v", version, e.Outcome)
}

// A FlakyError says that a side of the result had another outcome when it was
// tested again.
type FlakyError struct{ Before, Now algo.Outcome }

func (e *FlakyError) Error() string {
	return fmt.Sprintf("the test is flaky: a file that was %v is now %v", e.Before, e.Now)
}

// Find isolates what makes the difference between the good version, with none of the
// changes, and the bad one, with all. What it ends with has been tested again. With an
// error the result holds the best found until then, not tested again. Errors are
// [ErrSame], a [*VersionError], a [*FlakyError], ctx's error, an
// [*oracle.EnvironmentError], or that of a callback.
//
// A candidate with more syntax errors than both versions have is unresolved, without a
// test.
func Find(ctx context.Context, o Options) (Result, error) {
	if o.Changes.Count == 0 {
		return Result{}, ErrSame
	}
	if o.Confirm == nil {
		o.Confirm = o.Property
	}
	i := isolation{Options: o, good: o.Changes.Make(nil), bad: o.Changes.All()}
	i.runner = &search.Runner{Property: o.Property, Jobs: max(o.Jobs, 1), Journal: o.Journal}
	i.runner.Forget(len(i.bad))
	if err := i.begin(ctx); err != nil {
		return Result{}, err
	}
	r, err := i.search(ctx)
	if err == nil && r.Complete {
		err = i.confirm(ctx, r)
	}
	r.Complete = r.Complete && err == nil
	return r, err
}

// isolation is one run of Find.
type isolation struct {
	Options
	good, bad []byte
	runner    *search.Runner
}

// begin tests the two versions as they are.
func (i *isolation) begin(ctx context.Context) error {
	if err := i.expect(ctx, i.bad, algo.Interesting); err != nil {
		return err
	}
	if err := i.expect(ctx, i.good, algo.Uninteresting); err != nil {
		return err
	}
	if i.Started != nil {
		return i.Started()
	}
	return nil
}

// expect tests a version unless the journal has the expected outcome.
func (i *isolation) expect(ctx context.Context, file []byte, want algo.Outcome) error {
	outcome, err := i.runner.Expect(ctx, file, want)
	if err == nil && outcome != want {
		return &VersionError{want == algo.Interesting, outcome}
	}
	return err
}

// steps returns the search.
func (i *isolation) steps(ctx context.Context) *algo.Step[Mix] {
	c := i.Changes
	all := Differ(c.Levels, c.Count)
	if i.By != nil {
		all = Minimise(c.Levels, c.Count, i.By)
	}
	most := max(c.errors(i.good), c.errors(i.bad))
	return resolvable(all, func(m Mix) bool {
		return ctx.Err() != nil ||
			(c.possible == nil || c.possible(m.Made)) && c.errors(c.render(m.Made)) <= most
	})
}

// search finds the difference. With an error the result is what it had come to.
func (i *isolation) search(ctx context.Context) (Result, error) {
	c := i.Changes
	render := func(m Mix) []byte { return c.render(m.Made) }
	steps := i.steps(ctx)
	r := Result{Changes: c.Left(algo.All(c.Count)), Difference: reached(steps), Complete: true}
	result := func() Result {
		r.Good, r.Bad, r.Left = c.render(r.Without), c.render(r.With), c.Left(algo.Without(r.With, r.Without))
		r.Tests, r.Cancelled = i.runner.Counts()
		r.Replayed = i.runner.Replayed()
		return r
	}
	var failed error
	_, err := search.Run(ctx, i.runner, steps, render, func(s *algo.Step[Mix], a oracle.Answer) bool {
		next := s.Next(a.Outcome)
		accepted := reached(next).size() < r.size()
		r.Difference = reached(next)
		if a.Cached {
			r.Cached++
		} else {
			r.TestTime += a.Elapsed
		}
		if accepted && i.Improved != nil {
			failed = i.Improved(result())
		}
		tests, _ := i.runner.Counts()
		if i.Decided != nil {
			left := c.Left(algo.Without(r.With, r.Without))
			i.Decided(Decision{a, accepted, left, r.Changes, len(render(s.Candidate)), tests})
		}
		if i.MaxTests > 0 && tests >= i.MaxTests && !next.Ended() {
			r.Complete = false
		}
		return failed == nil && r.Complete
	})
	if failed != nil {
		err = failed
	}
	return result(), err
}

// resolvable is the search in which candidates that are not worth a test are
// unresolved.
func resolvable(s *algo.Step[Mix], worthwhile func(Mix) bool) *algo.Step[Mix] {
	for !s.Ended() && !worthwhile(s.Candidate) {
		s = s.Next(algo.Unresolved)
	}
	if s.Ended() {
		return s
	}
	return &algo.Step[Mix]{Candidate: s.Candidate, Next: func(o algo.Outcome) *algo.Step[Mix] {
		return resolvable(s.Next(o), worthwhile)
	}}
}

// reached returns what a [Search] has come to.
func reached(s *algo.Step[Mix]) Difference {
	if s.Ended() {
		return s.End.(Difference)
	}
	return s.Candidate.Difference
}

// confirm tests the two sides of the result anew.
func (i *isolation) confirm(ctx context.Context, r Result) error {
	for _, side := range []struct {
		file []byte
		want algo.Outcome
	}{{r.Good, algo.Uninteresting}, {r.Bad, algo.Interesting}} {
		outcome, err := i.Confirm(ctx, side.file)
		if err != nil {
			return err
		}
		if outcome != side.want {
			return &FlakyError{side.want, outcome}
		}
	}
	return nil
}
