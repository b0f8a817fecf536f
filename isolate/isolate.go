// Package isolate finds what makes one version of a file interesting and another
// not: by delta debugging it comes to two versions between them, one of them
// interesting, that differ in as few changes as possible.
//
// [Find] is the front door. [Search] is the search that it runs, over numbered
// changes; it knows nothing of files.
package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
	"whittle/search"
	"whittle/search/journal"
)

// Options says what to compare and how. Good, Bad and Property are needed; the
// zero value of everything else is a default.
type Options struct {
	Good, Bad Version         // of which the first is uninteresting and the second interesting
	Property  oracle.Property // decides about all versions
	Jobs      int             // tests at once; 0 is 1. The result does not depend on it.

	// Journal, if there is one, answers before Property, also for Good and Bad, and
	// learns what Property says. Find begins it after Started.
	Journal *journal.Journal
	// Confirm tests the two sides of the result again, anew and without a cache;
	// nil is Property.
	Confirm oracle.Property

	// Started is called once Good is known to be uninteresting and Bad to be
	// interesting. Its error ends the isolation.
	Started func() error
	// Improved is called with each smaller difference, in order. Its error ends the
	// isolation.
	Improved func(Result) error
	// Decided is called for each candidate, in order.
	Decided func(Decision)
}

// A Version is a file and the language that it is read by.
type Version struct {
	File     []byte
	Language parse.Language
}

// A Decision is what became of one candidate.
type Decision struct {
	search.Answer
	Accepted bool // it has made the difference smaller
	Left     int  // changes that make the difference so far
	Changes  int  // from Good to Bad
	Tests    int  // run so far
}

// Result is what an isolation came to.
type Result struct {
	Good, Bad []byte // the two sides of the difference; nil if the two versions were not compared
	Left      int    // changes from one to the other
	Changes   int    // from Options.Good to Options.Bad
	Tests     int    // tests whose outcome was used, without those of the two versions and of Confirm
	Replayed  int    // of these, those that an earlier run had done
	Cancelled int    // tests started in vain
	Complete  bool   // the difference is minimal, and was confirmed
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

// Find isolates the difference between o.Good and o.Bad. What it ends with has been
// tested again. With an error the result holds the smallest difference found until
// then, not tested again. Errors are [ErrSame], a [*VersionError], a [*FlakyError],
// ctx's error, an [*oracle.EnvironmentError], that of a callback or that of a
// language.
//
// Changes are of single tokens, see [mix]. A candidate with more syntax errors than
// both versions have is unresolved, without a test.
func Find(ctx context.Context, o Options) (Result, error) {
	if string(o.Good.File) == string(o.Bad.File) {
		return Result{}, ErrSame
	}
	if o.Confirm == nil {
		o.Confirm = o.Property
	}
	if err := o.begin(ctx); err != nil {
		return Result{}, err
	}
	good, err := o.Good.Language.Parse(o.Good.File)
	if err != nil {
		return Result{}, err
	}
	bad, err := o.Bad.Language.Parse(o.Bad.File)
	if err != nil {
		return Result{}, err
	}
	r, err := o.search(ctx, mix(good, bad), max(good.Errors, bad.Errors))
	if err == nil {
		err = o.confirm(ctx, r)
	}
	r.Complete = err == nil
	return r, err
}

// begin tests the two versions as they are.
func (o *Options) begin(ctx context.Context) error {
	if err := o.expect(ctx, o.Bad.File, algo.Interesting); err != nil {
		return err
	}
	if err := o.expect(ctx, o.Good.File, algo.Uninteresting); err != nil {
		return err
	}
	if o.Started != nil {
		if err := o.Started(); err != nil {
			return err
		}
	}
	return o.Journal.Begin()
}

// expect tests a version unless the journal has the outcome that it is to have.
func (o *Options) expect(ctx context.Context, file []byte, want algo.Outcome) error {
	if outcome, known := o.Journal.Outcome(file); known && outcome == want {
		return nil
	}
	began := time.Now()
	outcome, err := o.Property(ctx, file)
	if err != nil {
		return err
	}
	if outcome != want {
		return &VersionError{want == algo.Interesting, outcome}
	}
	o.Journal.Learn(search.KeyOf(file), outcome, time.Since(began))
	return nil
}

// search finds the difference. Candidates with more than so many syntax errors are
// unresolved. With an error the result is what it had come to.
func (o *Options) search(ctx context.Context, m *mixture, errors int) (Result, error) {
	asked := &search.Runner{Property: o.Property, Jobs: max(o.Jobs, 1), Journal: o.Journal}
	asked.Forget(len(o.Bad.File))
	asked.Know(o.Good.File, algo.Uninteresting)
	asked.Know(o.Bad.File, algo.Interesting)
	render := func(c Mix) []byte { return m.render(c.Made) }
	steps := resolvable(Search(m.changes), func(c Mix) bool {
		return ctx.Err() != nil || o.Bad.Language.Errors(render(c)) <= errors
	})
	d := reached(steps)
	result := func() Result {
		r := Result{Good: m.render(d.Without), Bad: m.render(d.With), Left: d.size(), Changes: m.changes}
		r.Tests, r.Cancelled = asked.Counts()
		r.Replayed = asked.Replayed()
		return r
	}
	var failed error
	_, err := search.Run(ctx, asked, steps, render, func(s *algo.Step[Mix], a search.Answer) bool {
		next := reached(s.Next(a.Outcome))
		accepted := next.size() < d.size()
		d = next
		if accepted && o.Improved != nil {
			failed = o.Improved(result())
		}
		if o.Decided != nil {
			tests, _ := asked.Counts()
			o.Decided(Decision{a, accepted, d.size(), m.changes, tests})
		}
		return failed == nil
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
func (o *Options) confirm(ctx context.Context, r Result) error {
	for _, side := range []struct {
		file []byte
		want algo.Outcome
	}{{r.Good, algo.Uninteresting}, {r.Bad, algo.Interesting}} {
		outcome, err := o.Confirm(ctx, side.file)
		if err != nil {
			return err
		}
		if outcome != side.want {
			return &FlakyError{side.want, outcome}
		}
	}
	return nil
}
