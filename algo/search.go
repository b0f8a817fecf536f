// Package algo holds the list algorithms of delta debugging as searches.
//
// A search is a value, not a loop: a Step says what to test next, and its Next
// gives the step that follows each outcome. Steps never change, so whoever runs
// a search may follow an expected outcome, or both outcomes, as far ahead as
// there are free workers, and simply drop what turned out not to happen. What
// is asked depends on real outcomes only; looking ahead cannot change it.
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

// String gives the outcome's name as traces show it.
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

	Fork []func() *Step[C]
	Join func(ends []any) *Step[C]

	End any
}

// A Question says what a candidate of a driver means for the list that is being
// searched: it keeps Kept of Left, which is what the search had come to.
type Question struct {
	List *List // the same for all questions of one search
	Left []int
	Kept []int
}

// A List is what one search of a driver is about.
type List struct {
	Mode    Mode
	Weights []int    // of the items; what a choice takes away
	Whole   int      // weight of all that the list is a part of
	Kind    string   // lists of the same kind are expected to fare alike
	Kinds   []string // of choices: likewise
	Level   bool     // of a tree: the next list has the parts of all that this leaves
}

// Mode is what the items of a list are to each other.
type Mode uint8

const (
	// Items are to go, as many as possible.
	Items Mode = iota
	// Some of the items are to go, as many as possible; all of them are not
	// worth a test of their own.
	Some
	// Choices exclude each other: a candidate keeps one, and the first that is
	// interesting will do.
	Choices
	// Single items are tried once each, in order.
	Single
)

// Ended tells whether nothing is left to ask.
func (s *Step[C]) Ended() bool { return s == nil || s.Next == nil && s.Fork == nil }
