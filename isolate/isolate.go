// Package isolate finds the changes between two versions of files that make one interesting and
// the other not, by delta debugging: few changes that make the good version interesting, or a small
// difference between two versions, one of them interesting.
//
// [Find] searches the [Changes] of [Files] or of a [Project] by [Minimise] or [Differ].
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

// Options configure [Find]. Changes and Property are required.
type Options struct {
	Changes  *Changes
	Property oracle.Property
	// By minimises the changes that make the good version interesting; nil searches for the
	// smallest difference between two versions.
	By   Algorithm
	Jobs int // parallel tests; 0 means 1. The result does not depend on it.

	MaxTests int // 0 means no limit

	// Journal answers before Property and records its outcomes. It may be nil.
	Journal oracle.Journal
	// Confirm tests the result again without caches; nil means Property.
	Confirm oracle.Property

	// Started is called when both versions had the expected outcomes, and may end the isolation by an error.
	Started func() error
	// Improved is called with each smaller difference, and may end the isolation, too.
	Improved func(Result) error
	// Decided is called with the decision about each candidate, in order.
	Decided func(Decision)
}

// A Decision is the outcome of one candidate.
type Decision struct {
	oracle.Answer
	Accepted bool // the difference has become smaller
	Left     int  // size of the difference, in changes of the finest level
	Changes  int  // between the two versions
	Bytes    int  // of the candidate
	Tests    int  // so far
}

// A Result is the end of an isolation.
type Result struct {
	Difference        // the changes of both sides
	Good, Bad  []byte // the two sides; nil before the first comparison
	Left       int    // size of the difference, in changes of the finest level
	Changes    int    // between the two versions
	Tests      int    // with a used outcome, without the two versions and Confirm
	Replayed   int    // tests answered by the journal
	Cached     int    // candidates with a known outcome
	Cancelled  int    // speculative tests without use
	TestTime   time.Duration
	Complete   bool // the result is minimal and confirmed
}

// ErrSame is the error of two equal versions.
var ErrSame = errors.New("the two versions are the same")

// A VersionError is the error of a version with an unexpected outcome.
type VersionError struct {
	Bad     bool // the version with all changes
	Outcome algo.Outcome
}

func (e *VersionError) Error() string {
	version := "good"
	if e.Bad {
		version = "bad"
	}
	return fmt.Sprintf("the %s version is %v", version, e.Outcome)
}

// A FlakyError is the error of a result with another outcome when tested again.
type FlakyError struct{ Before, Now algo.Outcome }

func (e *FlakyError) Error() string {
	return fmt.Sprintf("the test is flaky: a file that was %v is now %v", e.Before, e.Now)
}

// Find isolates the difference between the good version, without changes, and the bad version,
// with all. It tests the result again. With an error it returns the best result so far. Errors are
// [ErrSame], a [*VersionError], a [*FlakyError], the error of ctx, an [*oracle.EnvironmentError], or
// the error of a callback.
//
// A candidate with more syntax errors than both versions is unresolved, without a test.
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

type isolation struct {
	Options
	good, bad []byte
	runner    *search.Runner
}

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

// expect tests a version, unless the journal has the expected outcome.
func (i *isolation) expect(ctx context.Context, file []byte, want algo.Outcome) error {
	outcome, err := i.runner.Expect(ctx, file, want)
	if err == nil && outcome != want {
		return &VersionError{want == algo.Interesting, outcome}
	}
	return err
}

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

// resolvable makes candidates that are not worth a test unresolved.
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

// reached returns the difference of a step of [Search].
func reached(s *algo.Step[Mix]) Difference {
	if s.Ended() {
		return s.End.(Difference)
	}
	return s.Candidate.Difference
}

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
