// Package whittle reduces a file while it keeps a property. [Reduce] parses the input. A driver and a list algorithm
// propose candidates, and the property decides about each of them, until no candidate is left.
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

// Options configures a reduction. Input, Language and Property are required; the other fields have defaults.
type Options struct {
	Input    []byte
	Language parse.Language
	Property oracle.Property

	Driver   string           // one of Drivers; "" means DefaultDriver
	Passes   []pass.Pass      // run after the passes of the driver, or First
	Rewrites []rewrite.Family // added to the built-in families of rewrites
	// Adapt, if not nil, changes the passes of a driver that rewrites.
	Adapt     func([]pass.Pass) []pass.Pass
	NoRewrite bool    // only delete
	KeepNames bool    // do not rename
	Algorithm string  // one of Algorithms; "" means DefaultAlgorithm
	Prove     bool    // with DefaultAlgorithm, ask for each item once more at the end
	P0        float64 // initial probability of ProbDD and its variants, lower for long lists; 0 means DefaultP0
	// Policy, if not nil, searches the lists instead of Algorithm and P0; see [rounds.Plain].
	Policy rounds.Policy
	Jobs   int // parallel tests; 0 means 1. The result does not depend on it.
	// Width is the number of deletions tried against the same file; see [rounds.Plan]. 0 means DefaultWidth, or 1 for
	// sequential algorithms.
	Width int
	// Wide selects the parallel batch search, which asks this many questions at once: fewer steps and more tests. The
	// result depends on Wide but not on Jobs. 0 selects the search with the fewest tests.
	Wide int

	// Control may be nil.
	Control *Control

	// Late, if not nil, ends some time after the context of Reduce. Reduce then returns the best file, even if a
	// computation ignores its context. That computation continues, but calls only Property and Length of Options.
	Late context.Context

	// Length returns the length of a file as the user sees it; nil means its bytes. Layout and formatters do not exceed
	// the length of the input.
	Length func(file []byte) int

	MaxTests     int // stop after this many tests; 0 means no limit
	TargetTokens int // stop at this many tokens; 0 means no target

	// Journal answers before Property, also for the input, and learns its outcomes. It may be nil.
	Journal oracle.Journal

	// Confirm tests the final result again, without a cache; nil means Property. If it is not interesting, Reduce goes
	// back to the newest accepted file that is, and continues there. If it is Unresolved, Reduce forgets all outcomes,
	// asks again, and continues the search.
	Confirm oracle.Property

	// Watch reports whether Confirm tests the best file after each round, too; nil means never.
	Watch func() bool

	// Raise, if not nil, may return a file that shows a failure more often, or nil. It is called after the last passes,
	// if Watch reports true, with the confirmed best file, and then others that may be up to a tenth, or 10 tokens,
	// larger: accepted files, and the best one with another line of the input or a larger number. A returned file
	// becomes the best one, the last passes repeat if it is larger, and Raise is called again.
	Raise func(ctx context.Context, files [][]byte) (better []byte, err error)

	// Observe may be nil.
	Observe Observer
}

// docs/algorithm.md and bench/results/measurements.md explain the defaults.
const (
	DefaultDriver    = "coupled"
	DefaultAlgorithm = "grain"
	DefaultP0        = 0.1
	DefaultWidth     = 64
)

// Result is the result of a reduction.
type Result struct {
	File        []byte // the best file; the input if no candidate was accepted
	Tokens      int    // weight of File
	TokensAtAll int    // of the input
	Tests       int    // tests whose outcome was used, without tests of the input and of Confirm
	Replayed    int    // of Tests, done by an earlier run
	Cached      int    // candidates answered by the cache
	Cancelled   int    // tests that were started and not used
	Accepted    int    // candidates that became the best file
	Refuted     int    // results that were not interesting when tested again
	Rounds      int    // of all passes, including the last, without a change
	Passes      []PassResult
	Kinds       []KindResult  // sorted by name
	TestTime    time.Duration // sum over all tests
	Complete    bool          // the search ended; false if a limit was reached
	Unconfirmed bool          // the time did not suffice to test File again
}

// KindResult sums up the questions about lists that are expected to behave alike, or about one family of rewrites.
type KindResult struct {
	Kind          string
	Tests         int // including tests of earlier runs
	Accepted      int
	TokensRemoved int
}

// ErrNoTime means that the time limit was reached before the input was tested.
var ErrNoTime = errors.New("the time limit was reached before the input was tested")

// ErrUninteresting means that the input does not have the property.
var ErrUninteresting = errors.New("the input is not interesting")

// Reduce reduces o.Input. It tests the final result again.
//
// If ctx ends by its deadline or with the cause [context.DeadlineExceeded], Reduce returns the best file without an
// error, tested again unless Late ends.
//
// With any other error the result has the best file so far, not tested again. Errors are ErrUninteresting, ErrNoTime,
// ErrFlaky, the error of ctx, an *oracle.EnvironmentError, the error of Observe, or an error about the options.
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

type ended struct {
	err   error
	panic any
}

// leave returns the result so far, without the goroutine that ignores its context.
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

var errLeft = errors.New("the reduction was left behind")

// update changes the result or sends an event about it, unless Reduce has returned.
func (r *reduction) update(f func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return errLeft
	}
	return f()
}

func (r *reduction) set(change func()) error {
	return r.update(func() error {
		change()
		return nil
	})
}

func timeOver(ctx context.Context) bool { return context.Cause(ctx) == context.DeadlineExceeded }

func isDone(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

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

func (r *reduction) count() {
	r.result.Tests, r.result.Cancelled = r.runner.Counts()
	r.result.Replayed = r.runner.Replayed()
}

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
