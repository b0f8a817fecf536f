package algo

import "slices"

type step = Step[[]int]

// Ask returns the step that tests the candidate, and continues with yes if it is interesting, else with no. Both are
// called only after the outcome, so long searches need no deep stack.
func Ask(candidate []int, yes, no func() *Step[[]int]) *Step[[]int] {
	return &step{Candidate: candidate, Next: func(o Outcome) *step {
		if o == Interesting {
			return yes()
		}
		return no()
	}}
}

// All returns the indexes of n items.
func All(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Without returns the list without the part, a subset. Both are ascending.
func Without(list, part []int) []int {
	rest := make([]int, 0, len(list)-len(part))
	for _, item := range part {
		i := 0
		if list[0] != item { // otherwise the part continues here
			i, _ = slices.BinarySearch(list, item)
		}
		rest = append(rest, list[:i]...)
		list = list[i+1:]
	}
	return append(rest, list...)
}

// Cut cuts the list into n chunks, 0 < n ≤ len(list). Chunk i has ⌊remaining/(n-i)⌋ items: smaller chunks come first.
func Cut(list []int, n int) [][]int {
	chunks := make([][]int, 0, n)
	for i := range n {
		size := len(list) / (n - i)
		chunks = append(chunks, list[:size:size])
		list = list[size:]
	}
	return chunks
}

// Sweep tries to remove each run of size items once, left to right, and continues with the rest of the list.
func Sweep(list []int, size int, then func(list []int) *Step[[]int]) *Step[[]int] {
	return sweep(list, size, 0, then)
}

func sweep(list []int, size int, chance float64, then func(list []int) *step) *step {
	return removeRuns(list, slices.Collect(slices.Chunk(list, size)), chance, then)
}

func removeRuns(list []int, runs [][]int, chance float64, then func(list []int) *step) *step {
	if len(runs) == 0 {
		return then(list)
	}
	rest := Without(list, runs[0])
	s := Ask(rest,
		func() *step { return removeRuns(rest, runs[1:], chance, then) },
		func() *step { return removeRuns(list, runs[1:], chance, then) })
	s.Chance = chance
	return s
}

// Tie is the relative difference up to which expected gains are equal, so that rounding does not decide. With p = 1/m,
// a common p0, removing m-1 and m items have the same gain.
const Tie = 1e-9
