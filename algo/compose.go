package algo

// First returns the search for the first choice among 0..n-1 that is
// interesting: its candidates are lists of one.
func First(n int) *Step[[]int] { return choose(0, n) }

func choose(i, n int) *step {
	if i >= n {
		return nil
	}
	return Ask([]int{i}, func() *step { return nil }, func() *step { return choose(i+1, n) })
}

// EmptyFirst returns the search that asks for the empty list before it begins
// the given one.
func EmptyFirst(search *Step[[]int]) *Step[[]int] {
	return Ask([]int{}, func() *step { return nil }, func() *step { return search })
}

// Each returns the search that tries to remove each of n items once, in order,
// from what is left.
func Each(n int) *Step[[]int] { return each(All(n), All(n)) }

// each tries to remove each of some items of the list once.
func each(list, items []int) *step {
	if len(items) == 0 {
		return nil
	}
	rest := Without(list, items[:1])
	return Ask(rest,
		func() *step { return each(rest, items[1:]) },
		func() *step { return each(list, items[1:]) })
}

// Then returns the search that follows s to its end and goes on with next, which
// is told what is left then. It is list if nothing that s asks is interesting.
func Then(s *Step[[]int], list []int, next func(list []int) *Step[[]int]) *Step[[]int] {
	if s.Ended() {
		return next(list)
	}
	then := *s
	then.Next = func(o Outcome) *step {
		if o == Interesting {
			return Then(s.Next(o), s.Candidate, next)
		}
		return Then(s.Next(o), list, next)
	}
	return &then
}

// ThenEach returns the algorithm with [Each] behind it, over what it has left:
// that shows whether a single item of the result could go.
func ThenEach(algorithm Algorithm) Algorithm {
	return func(weights []int) *Step[[]int] {
		return Then(algorithm(weights), All(len(weights)), func(list []int) *step { return each(list, list) })
	}
}
