// Package whittle shrinks a file while a property of it keeps holding.
//
// Reduce is the front door: it parses the input, lets a driver and a list
// algorithm propose candidates, and asks the property about them until nothing
// more can go.
package whittle

import (
	"context"
	"errors"
	"time"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
	"whittle/rewrite"
	"whittle/search"
	"whittle/search/journal"
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
	// Waiting, if it is not nil, is a clock in the place of the real one, for simulations;
	// see search.Runner.
	Waiting func(running int) (ending int)

	MaxTests     int           // stop after so many tests; 0 is no limit
	MaxTime      time.Duration // stop after so long; 0 is no limit
	TargetTokens int           // stop when no more tokens are left; 0 is no target

	// Journal, if there is one, answers before Property, also for the input,
	// and learns what Property says. Reduce begins it after Started.
	Journal *journal.Journal

	// Confirm tests the final result again, anew and without a memory; nil is
	// Property. If that is uninteresting, Reduce steps back along the files that were
	// accepted to the newest that Confirm finds interesting, and goes on there.
	Confirm oracle.Property
	// Refuted is called when Confirm finds the result uninteresting. From then on Property
	// should be harder to convince, and find nothing interesting by a cache.
	Refuted func(file []byte)

	// Started is called once the input is known to be interesting. Its error
	// ends the reduction.
	Started func() error
	// Improved is called with each better file, in order, and with the one that
	// Reduce steps back to. Its error ends the reduction.
	Improved func(best parse.Measure) error
	// Decided is called for each candidate, in order.
	Decided func(Decision)
	// Began and Ended are called with each pass.
	Began func(pass string)
	Ended func(PassResult)
}

// The defaults of Options. docs/algorithm.md and docs/measurements.md say why these.
const (
	DefaultDriver    = "coupled"
	DefaultAlgorithm = "grain"
	DefaultP0        = 0.1
	DefaultWidth     = 64
)

// Decision is what became of one candidate.
type Decision struct {
	Pass      string
	Base      []byte // the best file before
	File      []byte // the candidate
	Tokens    int    // its weight
	Bytes     int
	Best      int // tokens of the best file so far
	BestBytes int
	AtAll     int // tokens of the input
	search.Answer
	Accepted bool
	Tests    int // run so far
	// About is what is asked of which list; nil for what no algorithm asked,
	// as whether edits that succeeded hold together.
	About *algo.Question
	// Items returns the 1-based numbers of the root's children that are kept.
	Items func() []int
}

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
}

// PassResult is what one run of a pass came to.
type PassResult struct {
	Name          string
	Tests         int // without those that an earlier run had done
	TokensRemoved int
	Elapsed       time.Duration
	Skipped       bool // by [Control.Skip]
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
// With an error the result holds the best file found until then, not tested
// again. Errors are ErrUninteresting, ErrNoTime, ErrFlaky, ctx's error, an
// *oracle.EnvironmentError, that of Improved, or one about the options.
func Reduce(ctx context.Context, o Options) (Result, error) {
	r, err := newReduction(o)
	if err != nil {
		return Result{File: o.Input}, err
	}
	if o.MaxTime > 0 {
		r.deadline = time.Now().Add(o.MaxTime)
	}
	began := time.Now()
	if outcome, known := o.Journal.Outcome(o.Input); !known || outcome != algo.Interesting {
		err = r.untilDeadline(ctx, func(ctx context.Context) error {
			outcome, err = o.Property(ctx, o.Input)
			return err
		})
		switch {
		case errors.Is(err, errDeadline):
			return r.result, ErrNoTime
		case err != nil:
			return r.result, err
		case outcome != algo.Interesting:
			return r.result, ErrUninteresting
		}
	}
	// Before Started, which may need to know that it is written down.
	o.Journal.Learn(search.KeyOf(o.Input), algo.Interesting, time.Since(began))
	if o.Started != nil {
		if err := o.Started(); err != nil {
			return r.result, err
		}
	}
	if err := o.Journal.Begin(); err != nil {
		return r.result, err
	}
	r.runner.Know(o.Input, algo.Interesting)
	err = r.confirmed(ctx)
	r.result.Tests, r.result.Cancelled = r.runner.Counts()
	r.result.Replayed = r.runner.Replayed()
	return r.result, err
}
