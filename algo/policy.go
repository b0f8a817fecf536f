package algo

// A Policy is how drivers search their lists.
type Policy interface {
	// Search begins the search of a list. It may end without a question. What
	// its end says goes into the lore.
	Search(l *List, lore Lore) *Step[[]int]
	// Round gives the policy of the next round of all passes, after one before
	// and after which the file weighed so much; nil if no round is to follow.
	Round(before, after int) Policy
}

// A Plan is what a driver needs besides a tree.
type Plan struct {
	Policy Policy
	Lore   Lore // what has been learned; the search of a driver ends with what it adds
	Width  int  // of Driver
}

// Plain is the policy that searches every list by the same algorithm, asks for
// all choices in their order, and learns nothing: as the papers have it.
func Plain(a Algorithm) Policy { return plain{a} }

type plain struct{ algorithm Algorithm }

func (p plain) Search(l *List, _ Lore) *step {
	n := len(l.Weights)
	switch {
	case n == 0:
		return nil
	case l.Mode == Choices:
		return First(n)
	case l.Mode == Single:
		return Each(n)
	case l.Mode == Some:
		return p.algorithm(l.Weights)
	}
	return EmptyFirst(p.algorithm(l.Weights))
}

func (p plain) Round(before, after int) Policy {
	if after == before {
		return nil
	}
	return p
}
