package algo

// ThenEach is the algorithm, and then Each over what that has left: it shows
// whether a single item of the result could go.
func ThenEach(algorithm Algorithm) Algorithm {
	return func(weights []int) *Step[[]int] {
		return then(algorithm(weights), all(len(weights)), func(list []int) *step { return each(list, list) })
	}
}

// then follows a search that has come to the list, and goes on from its end.
func then(s *step, list []int, next func(list []int) *step) *step {
	if s.Ended() {
		return next(list)
	}
	return &step{Candidate: s.Candidate, Next: func(o Outcome) *step {
		if o == Interesting {
			return then(s.Next(o), s.Candidate, next)
		}
		return then(s.Next(o), list, next)
	}}
}
