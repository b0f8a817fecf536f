// Package whittle shrinks a file while a property of it keeps holding.
//
// Reduce is the front door: it parses the input, lets a driver and a list
// algorithm propose candidates, and asks the property about them until nothing
// more can go.
package whittle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
	"whittle/rewrite"
)

// Options says what to reduce and how. Input, Language and Property are needed;
// the zero value of everything else is a default.
type Options struct {
	Input    []byte
	Language parse.Language
	Property oracle.Property

	Driver    string           // one of Drivers; "" is DefaultDriver
	Passes    []pass.Pass      // that have their turn behind those of the driver, or first
	Rewrites  []rewrite.Family // what else may be put in the place of what cannot go
	NoRewrite bool             // only delete: what is left stays as it is
	KeepNames bool             // names stay as they are
	Algorithm string           // one of Algorithms; "" is DefaultAlgorithm
	P0        float64          // initial probability of ProbDD and its kin, lower for long lists; 0 is DefaultP0
	// Policy searches the lists in place of Algorithm and P0, if it is not nil;
	// rounds.Plain makes one of any list algorithm.
	Policy rounds.Policy
	Jobs   int // tests at once; 0 is 1. The result does not depend on it.
	// Width is how many deletions are tried against the same file, see rounds.Plan;
	// 1 is one after the other; 0 is DefaultWidth, or 1 for sequential algorithms.
	Width int
	// Wide is how many questions the search has at once, for fewer steps and more tests,
	// by an algorithm of its own: see package wide. What comes out depends on it, not on
	// Jobs. 0 is the search that needs the fewest tests.
	Wide int

	// Control, if it is not nil, steers the reduction while it runs.
	Control *Control

	// Late, if it is not nil, ends some time after Reduce's context: Reduce returns then
	// with the best so far, even if a computation does not listen to its context. That goes
	// on, and calls no function of Options but Property and Length.
	Late context.Context

	// Length returns the length of a file as the user sees it; nil is its bytes. Layout and
	// formatters do not make a file longer than the input.
	Length func(file []byte) int

	MaxTests     int // stop after so many tests; 0 is no limit
	TargetTokens int // stop when no more tokens are left; 0 is no target

	// Journal, if it is not nil, answers before Property, also for the input, and learns the
	// outcomes of Property.
	Journal oracle.Journal

	// Confirm tests the final result again, anew and without a memory; nil is
	// Property. If that is uninteresting, Reduce steps back along the files that were
	// accepted to the newest that Confirm finds interesting, and goes on there.
	Confirm oracle.Property

	// Observe receives the events of the reduction; nil ignores them.
	Observe Observer
}

// The defaults of Options. docs/algorithm.md and bench/results/measurements.md say why these.
const (
	DefaultDriver    = "coupled"
	DefaultAlgorithm = "grain"
	DefaultP0        = 0.1
	DefaultWidth     = 64
)

// Result is what a reduction came to.
type Result struct {
	File        []byte // the best file; the input if nothing could go
	Tokens      int    // live weight of File
	TokensAtAll int    // of the input
	Tests       int    // tests whose outcome was used, without those of the input and of Confirm
	Replayed    int    // of these, those that an earlier run had done
	Cached      int    // candidates answered from memory
	Cancelled   int    // tests started in vain
	Accepted    int    // candidates that were interesting
	Refuted     int    // results that did not hold when they were tested again
	Rounds      int    // of all passes, the last without a change
	Passes      []PassResult
	Kinds       []KindResult  // by name
	TestTime    time.Duration // sum of the tests' times
	Complete    bool          // nothing more can go; false if a limit was reached
	Unconfirmed bool          // there was no time to test File again
}

// KindResult is what questions of one kind came to: about lists that are expected to
// fare alike, as a node's children, or one family of rewrites.
type KindResult struct {
	Kind          string
	Tests         int // with those that an earlier run had done
	Accepted      int
	TokensRemoved int
}

// ErrNoTime says that the time was over before the input was tested.
var ErrNoTime = errors.New("the time was over before the input was tested")

// ErrUninteresting says that the input does not have the property.
var ErrUninteresting = errors.New("the input is not interesting")

// Reduce shrinks o.Input. What it ends with has been tested again, after the end.
//
// When the time of ctx is over, by its deadline or by cancelling it with the cause
// [context.DeadlineExceeded], Reduce ends with the best so far and without an error. That is
// tested again until Late.
//
// With an error the result holds the best file found until then, not tested
// again. Errors are ErrUninteresting, ErrNoTime, ErrFlaky, ctx's error, an
// *oracle.EnvironmentError, that of Observe, or one about the options.
func Reduce(ctx context.Context, o Options) (Result, error) {
	r, err := newReduction(o)
	if err != nil {
		return Result{File: o.Input}, err
	}
	r.late = o.Late
	if r.late == nil {
		r.late = context.WithoutCancel(ctx)
		err = r.reduce(ctx)
		return r.result, err
	}
	done := make(chan ended, 1)
	go func() {
		var e ended
		defer func() {
			if e.panic = recover(); e.panic != nil {
				e.panic = fmt.Sprintf("%v\n\n%s", e.panic, debug.Stack())
			}
			done <- e
		}()
		e.err = r.reduce(ctx)
	}()
	select {
	case e := <-done:
		if e.panic != nil {
			panic(e.panic)
		}
		return r.result, e.err
	case <-r.late.Done():
		return r.leave(ctx)
	}
}

// ended is how a goroutine has ended.
type ended struct {
	err   error
	panic any
}

// leave leaves behind a computation that does not listen to its context.
func (r *reduction) leave(ctx context.Context) (Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	switch {
	case !timeOver(ctx):
		return r.result, ctx.Err()
	case !r.started:
		return r.result, ErrNoTime
	}
	r.result.Complete, r.result.Unconfirmed = false, true
	return r.result, nil
}

// errLeft says that Reduce has returned before.
var errLeft = errors.New("the reduction was left behind")

// update changes the result, or calls a function of the options about it, unless Reduce has
// returned before.
func (r *reduction) update(f func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return errLeft
	}
	return f()
}

// set changes the result, unless Reduce has returned before.
func (r *reduction) set(change func()) error {
	return r.update(func() error {
		change()
		return nil
	})
}

// timeOver reports whether ctx has ended as its time is over.
func timeOver(ctx context.Context) bool { return context.Cause(ctx) == context.DeadlineExceeded }

// isDone reports whether an error is that of a context that is done.
func isDone(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// reduce is Reduce without a limit of its own.
func (r *reduction) reduce(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		if !timeOver(ctx) || !isDone(err) {
			return err
		}
		return ErrNoTime
	}
	err := r.confirmed(ctx)
	return cmp.Or(r.set(r.count), err)
}

// count puts the numbers of tests into the result.
func (r *reduction) count() {
	r.result.Tests, r.result.Cancelled = r.runner.Counts()
	r.result.Replayed = r.runner.Replayed()
}

// begin tests the input.
func (r *reduction) begin(ctx context.Context) error {
	switch outcome, err := r.runner.Expect(ctx, r.Input, algo.Interesting); {
	case err != nil:
		return err
	case outcome != algo.Interesting:
		return ErrUninteresting
	}
	if err := r.Observe.observe(Started{}); err != nil {
		return err
	}
	return r.set(func() { r.started = true })
}
