package algo

// First is the search for the first choice among 0..n-1 that is interesting:
// its candidates are lists of one.
func First(n int) *Step[[]int] { return choose(0, n) }

func choose(i, n int) *Step[[]int] {
	if i >= n {
		return nil
	}
	return &Step[[]int]{Candidate: []int{i}, Next: func(o Outcome) *Step[[]int] {
		if o == Interesting {
			return nil
		}
		return choose(i+1, n)
	}}
}

// EmptyFirst asks for the empty list before it begins the search.
func EmptyFirst(search *Step[[]int]) *Step[[]int] {
	return &Step[[]int]{Candidate: []int{}, Next: func(o Outcome) *Step[[]int] {
		if o == Interesting {
			return nil
		}
		return search
	}}
}

// Each tries to remove each of n items once, in order, from what is left.
func Each(n int) *Step[[]int] { return each(all(n), all(n)) }

// each tries to remove each of some items of the list once.
func each(list, items []int) *step {
	if len(items) == 0 {
		return nil
	}
	rest := without(list, items[:1])
	return ask(rest,
		func() *step { return each(rest, items[1:]) },
		func() *step { return each(list, items[1:]) })
}
