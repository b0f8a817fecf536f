package rounds

import "whittle/algo"

// A Policy searches the lists of drivers. It is immutable and includes its experience with earlier lists.
type Policy interface {
	// Search starts the search of a list. It may end without a question.
	Search(l *algo.List) *algo.Step[[]int]
	// Learn returns the policy after a list search that this policy or a predecessor started. end is the End of that
	// search; nil has no information.
	Learn(end any) Policy
	// Undefined returns the policy after more candidates that left a name undefined. explained counts failures with a
	// message about the name, silent counts failures of light items without one, and accepted counts successes. skip means
	// that further such candidates are not tested.
	Undefined(explained, silent, accepted int) (after Policy, skip bool)
	// Round returns the policy for the next round of all passes, or nil after the last one. The arguments are the
	// weights of the file before and after the round.
	Round(before, after int) Policy
	// Exhaustive reports whether the policy now asks all questions, after rounds with the most promising ones.
	Exhaustive() bool
}

func learn(p Policy, search *step) Policy {
	if search == nil {
		return p
	}
	return p.Learn(search.End)
}

// A Plan is the input of a driver in addition to a tree.
type Plan struct {
	// Policy searches the lists. The search ends with the policy that has learned from them.
	Policy Policy
	// Width limits the tasks of a round and the questions of a list about the same base. 1 asks one by one.
	Width int
}

// Plain returns the policy of the papers: the same algorithm for every list, all choices in order, no learning.
func Plain(a algo.Algorithm) Policy { return plain{a} }

type plain struct{ algorithm algo.Algorithm }

func (p plain) Search(l *algo.List) *step {
	n := len(l.Weights)
	switch {
	case n == 0:
		return nil
	case l.Mode == algo.Choices:
		return algo.First(n)
	case l.Mode == algo.Single:
		return algo.Each(n)
	case l.Mode == algo.Some:
		return p.algorithm(l.Weights)
	}
	return algo.EmptyFirst(p.algorithm(l.Weights))
}

func (p plain) Learn(any) Policy { return p }

func (p plain) Undefined(_, _, _ int) (Policy, bool) { return p, false }

// Exhaustive is false, since the passes run in the order of the papers.
func (p plain) Exhaustive() bool { return false }

func (p plain) Round(before, after int) Policy {
	if after == before {
		return nil
	}
	return p
}
