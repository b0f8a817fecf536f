package algo

// First searches for the first interesting choice among 0..n-1. Its candidates are lists of one item.
func First(n int) *Step[[]int] { return choose(0, n) }

func choose(i, n int) *step {
	if i >= n {
		return nil
	}
	return Ask([]int{i}, func() *step { return nil }, func() *step { return choose(i+1, n) })
}

// EmptyFirst asks for the empty list before the search.
func EmptyFirst(search *Step[[]int]) *Step[[]int] {
	return Ask([]int{}, func() *step { return nil }, func() *step { return search })
}

// Each tries to remove each of n items once, in order.
func Each(n int) *Step[[]int] { return each(All(n)) }

func each(list []int) *step { return Sweep(list, 1, func([]int) *step { return nil }) }

// Then runs s to its end and continues with next, whose argument is the last interesting candidate of s, or else list.
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

// ThenEach returns the algorithm followed by [Each] on its result.
func ThenEach(algorithm Algorithm) Algorithm {
	return func(weights []int) *Step[[]int] {
		return Then(algorithm(weights), All(len(weights)), each)
	}
}
