// Package algo holds the list algorithms of delta debugging as searches.
//
// A search is a value, not a loop: a Step says what to test next, and its Next
// returns the step that follows each outcome. Steps never change, so whoever runs
// a search may follow an expected outcome, or both outcomes, as far ahead as
// there are free workers, and simply drop what turned out not to happen. What
// is asked depends on real outcomes only; looking ahead cannot change it.
//
// [Published] is the table of the algorithms. What they are written with ([Ask],
// [Without], [Sweep], [Then] and others) is exported, so that an algorithm can be
// written in another package; docs/examples/algorithm is one.
//
// The package knows nothing of trees, files or processes.
package algo

// Outcome is what one test said about a candidate.
type Outcome uint8

const (
	// Uninteresting: the property does not hold.
	Uninteresting Outcome = iota
	// Interesting: the property holds.
	Interesting
	// Unresolved: no answer, as for a test that ran out of time or a
	// candidate that is not worth testing.
	Unresolved
)

// String returns the outcome's name as traces show it.
func (o Outcome) String() string {
	switch o {
	case Uninteresting:
		return "uninteresting"
	case Interesting:
		return "interesting"
	case Unresolved:
		return "unresolved"
	}
	return "invalid outcome"
}

// A Step is one point of a search: a question, a fork, or an end.
//
// A question has a candidate to test, and Next, how the search goes on. A fork
// has parts, searches that do not depend on each other, and Join, how the search
// goes on when all have ended. An end has neither; End is what the part of a
// fork came to, for its Join. A nil *Step is an end without anything to say.
//
// Invariant: a Step is immutable, and Next, Join and the parts are pure
// functions. They may be called any number of times, with any outcomes, from
// one goroutine at a time.
type Step[C any] struct {
	Candidate C
	Next      func(Outcome) *Step[C]
	About     *Question // what a driver asks of a list; nil if it is something else

	// Edit returns the candidate that keeps these items of the list that the question is
	// about, of the same base; nil if nobody knows. So questions can be united.
	Edit func(kept []int) C

	// Chance is how likely the candidate is to be interesting, as far as the
	// search knows; 0 is unknown. It never decides what is asked, only what may be
	// tested early.
	Chance float64

	// Plainer: if the candidate is interesting it is the best from now on, though no measure
	// finds it better.
	Plainer bool

	Fork []func() *Step[C]
	Join func(ends []any) *Step[C]

	End any
}

// Ended reports whether nothing is left to ask.
func (s *Step[C]) Ended() bool { return s == nil || s.Next == nil && s.Fork == nil }
