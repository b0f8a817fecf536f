package compared

import (
	"cmp"
	"slices"

	"whittle/algo"
)

// Chisel is the delta debugging of Chisel, Heo et al., "Effective Program Debloating via
// Reinforcement Learning" (CCS 2018): ddmin in the order of the predictions of a decision tree,
// learned from the tests so far.
//
//	size 4   abcd....  ....efgh
//	size 2   ab......  ..cd....  ....ef..  ......gh  ..cdefgh  ab..efgh  abcd..gh  abcdef..
//	         in the order of the tree's predictions, likeliest first
//
// An interesting chunk becomes the list, and is halved. An interesting complement becomes the
// list, with chunks of the same size. A round without a success halves the size. Two chunks are
// each other's complement.
//
// Guarantee: 1-minimal, as ddmin. The empty list is never asked.
//
// Cost: at most n²+14n tests.
//
// Deviations: the tree is learned at the beginning of each round, from the last 64 tests and 4,096
// items at most; see experience. Equal predictions stay in the order of ddmin. The rewards of
// Chisel's reinforcement learning amount to this order. Its knowledge of C is not part of it.
func Chisel(weights []int) *algo.Step[[]int] {
	n := len(weights)
	return chiselRound(algo.All(n), half(n), newExperience(n))
}

func half(n int) int { return (n + 1) / 2 }

// chiselRound tests the list in chunks of the given size, at least two unless the list is too
// short.
func chiselRound(list []int, size int, e experience) *step {
	if len(list) < 2 {
		return nil
	}
	tree := e.learn()
	var round []trial
	for chunk := range slices.Chunk(list, size) {
		round = append(round, trial{list: list, chunk: chunk, alone: true})
	}
	if chunks := round; len(chunks) > 2 {
		for _, t := range chunks {
			t.alone = false
			round = append(round, t)
		}
	}
	for i, t := range round {
		round[i].p = tree.predict(t.removes)
	}
	slices.SortStableFunc(round, func(a, b trial) int { return cmp.Compare(b.p, a.p) })
	return chiselTry(list, size, round, e)
}

func chiselTry(list []int, size int, round []trial, e experience) *step {
	if len(round) == 0 {
		if size == 1 {
			return nil
		}
		return chiselRound(list, half(size), e)
	}
	t := round[0]
	kept := t.kept()
	return &step{Candidate: kept, Next: func(o algo.Outcome) *step {
		e := e.after(kept, o)
		switch {
		case o != algo.Interesting:
			return chiselTry(list, size, round[1:], e)
		case t.alone:
			return chiselRound(kept, half(len(kept)), e)
		}
		return chiselRound(kept, min(size, half(len(kept))), e)
	}}
}

// A trial is a candidate of a round: a chunk of the list alone, or the list without it.
type trial struct {
	list, chunk []int
	alone       bool
	p           float64 // predicted probability of success
}

func (t trial) kept() []int {
	if t.alone {
		return t.chunk
	}
	return algo.Without(t.list, t.chunk)
}

func (t trial) removes(item int) bool {
	if _, inChunk := slices.BinarySearch(t.chunk, item); inChunk {
		return !t.alone
	}
	if t.alone {
		return true
	}
	_, inList := slices.BinarySearch(t.list, item)
	return !inList
}
