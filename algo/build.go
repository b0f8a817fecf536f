package algo

import "slices"

// This file and compose.go hold what algorithms are written with.

// step is a step of a list search.
type step = Step[[]int]

// Ask returns the step that tests the candidate, and goes on with yes if it is
// interesting, else with no. Neither is called before an outcome is known, so a
// search of any length needs no stack.
func Ask(candidate []int, yes, no func() *Step[[]int]) *Step[[]int] {
	return &step{Candidate: candidate, Next: func(o Outcome) *step {
		if o == Interesting {
			return yes()
		}
		return no()
	}}
}

// All returns the list of n items: their indexes.
func All(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Without returns the list without the part. Both are ascending, and all of the
// part is in the list.
func Without(list, part []int) []int {
	rest := make([]int, 0, len(list)-len(part))
	for _, item := range part {
		i := 0
		if list[0] != item { // else the part goes on where it was
			i, _ = slices.BinarySearch(list, item)
		}
		rest = append(rest, list[:i]...)
		list = list[i+1:]
	}
	return append(rest, list...)
}

// Cut cuts the list into n chunks, 0 < n ≤ len(list). Those that do not come out
// even are smaller at the front: chunk i takes ⌊remaining/(n-i)⌋ items.
func Cut(list []int, n int) [][]int {
	chunks := make([][]int, 0, n)
	for i := range n {
		size := len(list) / (n - i)
		chunks = append(chunks, list[:size:size])
		list = list[size:]
	}
	return chunks
}

// Sweep returns the search that tries to remove each run of size items of the
// list once, left to right, and goes on with what is left.
func Sweep(list []int, size int, then func(list []int) *Step[[]int]) *Step[[]int] {
	return sweep(list, size, 0, then)
}

// sweep is Sweep, where each run can go with that chance.
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

// Tie is the relative difference up to which two expected gains count as
// equal. Gains tie exactly at the usual p0 (with p = 1/m, removing m-1 or m
// items promises the same), and rounding must not decide between them.
const Tie = 1e-9
