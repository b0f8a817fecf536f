package rounds

import (
	"slices"

	"whittle/algo"
)

// unite looks for those of n edits, each interesting alone, that hold together:
// all if they do, else those of the first half, and what of the second holds with
// them. with makes the candidate that has the chosen edits, or says that it is not
// worth a test; then gets the chosen ones, in order, at least one of n > 0.
func unite[C any](n int, with func(chosen []int) (C, bool), then func(chosen []int) *algo.Step[C]) *algo.Step[C] {
	var add func(chosen, group []int, then func([]int) *algo.Step[C]) *algo.Step[C]
	add = func(chosen, group []int, then func([]int) *algo.Step[C]) *algo.Step[C] {
		both := slices.Concat(chosen, group)
		if len(group) == 0 || len(both) == 1 {
			return then(both)
		}
		apart := func() *algo.Step[C] {
			if len(group) == 1 {
				return then(chosen)
			}
			half := (len(group) + 1) / 2
			return add(chosen, group[:half], func(chosen []int) *algo.Step[C] { return add(chosen, group[half:], then) })
		}
		c, ok := with(both)
		if !ok {
			return apart()
		}
		return &algo.Step[C]{Candidate: c, Next: func(o algo.Outcome) *algo.Step[C] {
			if o == algo.Interesting {
				return then(both)
			}
			return apart()
		}}
	}
	return add(nil, algo.All(n), then)
}
