package rounds

import "whittle/algo"

// A Policy is how drivers search their lists. It is a value that includes what it
// has learned from the lists before; it never changes.
type Policy interface {
	// Search begins the search of a list. It may end without a question.
	Search(l *algo.List) *algo.Step[[]int]
	// Learn returns the policy that has learned from a search of a list, begun by
	// this policy or by one that it has come from; end is what that search ended
	// with, nil if that says nothing.
	Learn(end any) Policy
	// Round returns the policy of the next round of all passes, after one before
	// and after which the file weighed so much; nil if no round is to follow.
	Round(before, after int) Policy
}

// learn is p.Learn of the end of a search.
func learn(p Policy, search *step) Policy {
	if search == nil {
		return p
	}
	return p.Learn(search.End)
}

// A Plan is what a driver needs besides a tree.
type Plan struct {
	// Policy searches the lists. The search of a driver ends with the policy that
	// has learned from all of them.
	Policy Policy
	// Width is how many tasks a round has at most, and how many questions of a
	// list are asked against the same base. 1 asks one after the other.
	Width int
}

// Plain returns the policy that searches every list by the same algorithm, asks
// for all choices in their order, and learns nothing: as the papers have it.
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

func (p plain) Round(before, after int) Policy {
	if after == before {
		return nil
	}
	return p
}
