// Package whittle shrinks a file while a property of it keeps holding.
//
// Reduce is the front door: it parses the input, lets a driver and a list
// algorithm propose candidates, and asks the property about them until nothing
// more can go.
package whittle

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/oracle"
	"whittle/parse"
	"whittle/search"
	"whittle/search/journal"
)

// Options says what to reduce and how. Input, Language and Property are needed;
// the zero value of everything else is a default.
type Options struct {
	Input    []byte
	Language parse.Language
	Property oracle.Property

	Driver    string  // one of Drivers; "" is DefaultDriver
	Algorithm string  // one of Algorithms; "" is DefaultAlgorithm
	P0        float64 // initial probability of ProbDD and its kin, lower for long lists; 0 is DefaultP0
	// Policy searches the lists in place of Algorithm and P0, if it is not nil;
	// rounds.Plain makes one of any list algorithm.
	Policy rounds.Policy
	Jobs   int // tests at once; 0 is 1. The result does not depend on it.
	// Width is how many deletions are tried against the same file, see rounds.Plan;
	// 1 is one after the other; 0 is DefaultWidth, or 1 for sequential algorithms.
	Width int

	MaxTests     int           // stop after so many tests; 0 is no limit
	MaxTime      time.Duration // stop after so long; 0 is no limit
	TargetTokens int           // stop when no more tokens are left; 0 is no target

	// Journal, if there is one, answers before Property, also for the input,
	// and learns what Property says. Reduce begins it after Started.
	Journal *journal.Journal

	// Confirm tests the final result again, anew and without a memory; nil is
	// Property. If it says no, Reduce steps back along the files that were
	// accepted to the newest that Confirm finds interesting, and goes on there.
	Confirm oracle.Property
	// Refuted is called when Confirm says no to the result. From then on Property
	// should be harder to convince, and not answer yes from a memory.
	Refuted func(file []byte)

	// Started is called once the input is known to be interesting. Its error
	// ends the reduction.
	Started func() error
	// Improved is called with each better file, in order, and with the one that
	// Reduce steps back to. Its error ends the reduction.
	Improved func(file []byte) error
	// Decided is called for each candidate, in order.
	Decided func(Decision)
}

// The defaults of Options. docs/algorithm.md and docs/measurements.md say why these.
const (
	DefaultDriver    = "perses"
	DefaultAlgorithm = "grain"
	DefaultP0        = 0.1
	DefaultWidth     = 64
)

// Decision is what became of one candidate.
type Decision struct {
	Pass      string
	Tokens    int // weight of the candidate
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
	// Items gives the 1-based numbers of the root's children that are kept.
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
	TestTime    time.Duration // sum of the tests' times
	Complete    bool          // nothing more can go; false if a limit was reached
}

// PassResult is what one run of a pass came to.
type PassResult struct {
	Name          string
	Tests         int // without those that an earlier run had done
	TokensRemoved int
	Elapsed       time.Duration
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
		r.end = time.Now().Add(o.MaxTime)
	}
	began := time.Now()
	if outcome, known := o.Journal.Outcome(o.Input); !known || outcome != algo.Interesting {
		err = r.untilEnd(ctx, func(ctx context.Context) error {
			outcome, err = o.Property(ctx, o.Input)
			return err
		})
		switch {
		case errors.Is(err, errEnd):
			return r.result, ErrNoTime
		case err != nil:
			return r.result, err
		case outcome != algo.Interesting:
			return r.result, ErrUninteresting
		}
	}
	o.Journal.Learn(search.KeyOf(o.Input), algo.Interesting, time.Since(began)) // before Started, which may need to know that it is written down
	if o.Started != nil {
		if err := o.Started(); err != nil {
			return r.result, err
		}
	}
	if err := o.Journal.Begin(); err != nil {
		return r.result, err
	}
	r.oracle.Know(o.Input, algo.Interesting)
	err = r.settle(ctx)
	r.result.Tests, r.result.Cancelled = r.oracle.Counts()
	r.result.Replayed = r.oracle.Replayed()
	return r.result, err
}

// reduction is the state of one Reduce.
type reduction struct {
	Options
	end     time.Time // of MaxTime; zero for none
	passes  []pass
	plan    rounds.Plan // at first
	oracle  *search.Runner
	checker checker
	tree    *parse.Tree // of the file that was parsed last
	errors  int         // syntax errors of the input
	trail   trail
	result  Result
}

// run repeats the passes until a round of them changes nothing.
func (r *reduction) run(ctx context.Context) error {
	tree, err := r.parse(r.Input)
	if err != nil {
		return err
	}
	r.errors = tree.Errors
	r.result.TokensAtAll = parse.Whole(tree).Weight()
	if r.trail.count == 0 {
		r.result.Tokens = r.result.TokensAtAll
		r.trail.add(r.Input, r.result.Tokens)
	}
	if r.enough() {
		return nil
	}
	for first, plan := true, r.plan; plan.Policy != nil; first = false {
		removed := 0 // by passes that may be repeated
		for _, p := range r.passes {
			if p.once && !first || p.last {
				continue
			}
			if goOn, err := r.pass(ctx, p, &plan); err != nil || !goOn {
				return err
			}
			if !p.once {
				removed += r.result.Passes[len(r.result.Passes)-1].TokensRemoved
			}
		}
		plan.Policy = plan.Policy.Round(r.result.Tokens+removed, r.result.Tokens)
		r.result.Rounds++
	}
	for _, p := range r.passes {
		if p.last {
			if goOn, err := r.pass(ctx, p, &rounds.Plan{}); err != nil || !goOn {
				return err
			}
		}
	}
	r.result.Complete = true
	return nil
}

// pass runs one pass over the best file so far; the plan has then learned from it. goOn is false if a limit was
// reached.
func (r *reduction) pass(ctx context.Context, p pass, plan *rounds.Plan) (goOn bool, err error) {
	tree, err := r.parse(r.result.File)
	if err != nil {
		return false, err
	}
	r.result.Tokens = parse.Whole(tree).Weight()
	r.oracle.Forget(len(r.result.File))
	steps := p.search(tree, r.allows, *plan)

	began, tests, tokens := time.Now(), r.tests()-r.oracle.Replayed(), r.result.Tokens
	defer func() {
		r.result.Passes = append(r.result.Passes, PassResult{p.name, r.tests() - r.oracle.Replayed() - tests, tokens - r.result.Tokens, time.Since(began)})
	}()
	goOn = true
	render := func(c *parse.Candidate) []byte { return c.Render() }
	end, searchErr := search.Run(ctx, r.oracle, steps, render, func(s *step, a search.Answer) bool {
		err = r.decide(p, s, a)
		goOn = err == nil && !r.enough()
		return goOn
	})
	if learned, ok := end.(rounds.Policy); ok {
		plan.Policy = learned
	}
	return goOn, cmp.Or(err, searchErr)
}

// parse reads a file. A pass that changed nothing leaves the next one its tree.
func (r *reduction) parse(file []byte) (*parse.Tree, error) {
	if r.tree != nil && bytes.Equal(r.tree.Source, file) {
		return r.tree, nil
	}
	r.tree = nil // before there is another
	tree, err := r.Language.Parse(file)
	if err == nil {
		r.tree = tree
	}
	return tree, err
}

// enough tells whether a limit is reached.
func (r *reduction) enough() bool {
	return r.MaxTests > 0 && r.tests() >= r.MaxTests || r.TargetTokens > 0 && r.result.Tokens <= r.TargetTokens
}

func (r *reduction) tests() int {
	run, _ := r.oracle.Counts()
	return run
}

// decide takes note of an answer.
func (r *reduction) decide(p pass, s *step, a search.Answer) (err error) {
	c := s.Candidate
	file := c.Render()
	accepted := a.Outcome == algo.Interesting && c.Weight() <= r.result.Tokens && better(file, r.result.File)
	if a.Cached {
		r.result.Cached++
	} else {
		r.result.TestTime += a.Elapsed
	}
	if accepted {
		r.result.Accepted++
		r.result.File, r.result.Tokens = file, c.Weight()
		r.trail.add(file, c.Weight())
		err = r.improved()
	}
	if r.Decided != nil {
		r.Decided(Decision{
			Pass: p.name, Tokens: c.Weight(), Bytes: len(file), Best: r.result.Tokens, BestBytes: len(r.result.File), AtAll: r.result.TokensAtAll,
			Answer: a, Accepted: accepted, Tests: r.tests(), About: s.About, Items: func() []int { return items(c) },
		})
	}
	return err
}

// items gives the numbers of the root's children that are live.
func items(c *parse.Candidate) []int {
	t := c.Tree()
	kept := []int{}
	i := 0
	for n := int32(1); n < int32(len(t.Nodes)); n = t.Nodes[n].Next {
		if i++; c.Live(n) {
			kept = append(kept, i)
		}
	}
	return kept
}
