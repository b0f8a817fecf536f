package whittle

import (
	"time"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
)

// An Observer receives the events of a reduction in order, one at a time. An error ends the reduction, which returns
// it. The order is: [Started]; for each pass [PassBegan], pairs of [Improved] and [Decision], [PassResult]; and
// [Refuted] followed by [Improved] if the result did not hold.
type Observer func(Event) error

// An Event is a [Started], [PassBegan], [Improved], [Decision], [PassResult] or [Refuted]. Later versions may add
// types.
type Event any

// On returns an Observer that calls f for events of one type.
func On[E Event](f func(E)) Observer {
	return func(e Event) error {
		if e, ok := e.(E); ok {
			f(e)
		}
		return nil
	}
}

func (o Observer) observe(e Event) error {
	if o == nil {
		return nil
	}
	return o(e)
}

// Started reports that the input is interesting.
type Started struct{}

// Improved has a new best file, before the [Decision] that accepted it, or after [Refuted].
type Improved struct{ parse.Measure }

// Refuted has a result that was not interesting when tested again. From now on the Property should be harder to
// convince, and should not use a cache of interesting files.
type Refuted struct{ File []byte }

// PassBegan reports the start of a pass.
type PassBegan struct{ Name string }

// PassResult sums up one run of a pass.
type PassResult struct {
	Name          string
	Tests         int // without tests that an earlier run had done
	TokensRemoved int
	Elapsed       time.Duration
	Skipped       bool // by [Control.Skip]
}

// A Decision is the outcome of one candidate.
type Decision struct {
	Pass      string
	Base      []byte // the best file before
	File      []byte // the candidate
	Tokens    int    // its weight
	Bytes     int
	Best      int // tokens of the best file so far
	BestBytes int
	AtAll     int // tokens of the input
	oracle.Answer
	Accepted bool
	Tests    int // run so far
	// About describes the question and its list. It is nil if no list algorithm asked, for example for combined edits.
	About *algo.Question
	// Items returns the 1-based numbers of the root's children that are kept.
	Items func() []int
}
