package compared

import (
	"math/rand/v2"
	"slices"

	"whittle/algo"
)

// Shuffled returns the algorithm on a permutation of each list, by the seed. It breaks ties at
// random. Candidates are ascending indexes of the original list.
func Shuffled(algorithm algo.Algorithm, seed uint64) algo.Algorithm {
	return func(weights []int) *algo.Step[[]int] {
		order := rand.New(rand.NewPCG(seed, uint64(len(weights)))).Perm(len(weights))
		shuffled := make([]int, len(weights))
		for i, item := range order {
			shuffled[i] = weights[item]
		}
		return inOrder(algorithm(shuffled), order)
	}
}

// inOrder returns the search with item order[i] for its item i.
func inOrder(s *step, order []int) *step {
	if s.Ended() {
		return nil
	}
	kept := make([]int, len(s.Candidate))
	for i, item := range s.Candidate {
		kept[i] = order[item]
	}
	slices.Sort(kept)
	next := func(o algo.Outcome) *step { return inOrder(s.Next(o), order) }
	return &step{Candidate: kept, Next: next, Chance: s.Chance}
}
