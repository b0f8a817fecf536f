// Package algo contains the list algorithms of delta debugging as searches.
//
// A search is a value, not a loop: a [Step] has the next question, and its Next returns the step after each outcome. So
// a caller may follow expected outcomes ahead, and drop the steps that are not reached.
//
// [Published] is the table of the algorithms. Their building blocks ([Ask], [Without], [Sweep], [Then] and others) are
// exported for further algorithms; see docs/examples/algorithm.
package algo

// Outcome is the result of a test.
type Outcome uint8

const (
	// Uninteresting: the property does not hold.
	Uninteresting Outcome = iota
	// Interesting: the property holds.
	Interesting
	// Unresolved: undecided, for example because of a time limit, or because the candidate does not deserve a test.
	Unresolved
)

// String returns the name in traces.
func (o Outcome) String() string {
	if names := [...]string{"uninteresting", "interesting", "unresolved"}; int(o) < len(names) {
		return names[o]
	}
	return "invalid outcome"
}

// A Step is one point of a search: a question, a fork, or an end. A nil *Step is an end without a result.
//
// A question has a Candidate to test, and Next returns the following step. A fork has independent parts in Fork, and
// Join returns the step after all of them have ended. An end has neither; End is the result of a part for Join.
//
// Invariant: a Step is immutable, and Next, Join and the parts are pure functions. They may be called any number of
// times, with any outcomes, by one goroutine at a time.
type Step[C any] struct {
	Candidate C
	Next      func(Outcome) *Step[C]
	About     *Question // the list question of a driver; nil for other questions

	// Edit returns the candidate that keeps these items of the list, made from the same base; nil means unknown. It
	// combines questions.
	Edit func(kept []int) C

	// Repair returns the step after Uninteresting, instead of Next, if the test told reasons (oracle.Run). A nil field or
	// result means Next.
	Repair func(reasons []string) *Step[C]

	// Accepted is like Repair, for Interesting: errors that do not matter are reasons, too.
	Accepted func(reasons []string) *Step[C]

	// Chance is the estimated probability of Interesting; 0 means unknown. It decides which candidates are tested
	// early, and the order in a queue of passes.
	Chance float64

	// Plainer: an interesting candidate becomes the best file even if its measure is not smaller.
	Plainer bool

	// Late: Next runs a program. It is called once, when the outcome is known.
	Late bool

	// Source is the name of the pass that asks, if a search combines passes.
	Source string
	// Learned returns the End of a search that is given up at this question; nil means that nothing was learned.
	Learned func() any

	Fork []func() *Step[C]
	Join func(ends []any) *Step[C]

	End any
}

// Ended reports whether the search has ended.
func (s *Step[C]) Ended() bool { return s == nil || s.Next == nil && s.Fork == nil }
