package grain

import "whittle/algo"

const (
	// Lists of at least this length are searched by blocks first.
	long = 4096
	// blocks is the number of blocks.
	blocks = 64
)

// inBlocks searches a long list by blocks of about the same weight, and continues with the items of the blocks that
// stay: a dozen questions find a single item, and these cost less when the file is small.
func inBlocks(params *Params, weights []int, worth worth, then func(left []int) *step) *step {
	if len(weights) < long {
		return then(algo.All(len(weights)))
	}
	total := 0
	for _, w := range weights {
		total += w
	}
	var sums []int
	starts, sum := []int{0}, 0
	for i, w := range weights {
		if sum += w; sum*blocks >= total || i+1 == len(weights) {
			sums, starts, sum = append(sums, sum), append(starts, i+1), 0
		}
	}
	few := *params
	few.MostNeeded = fewNeeded
	s := newSearch(&few, sums, posterior{})
	s.worth = worth
	s.end = func(s *search) *step { return &step{End: s.rest(s.at)} }
	return expand(s.next(), starts, then)
}

// expand converts a search of blocks, whose End are the blocks that stay, to one of their items.
func expand(s *step, starts []int, then func(left []int) *step) *step {
	items := func(kept []int) (items []int) {
		for _, b := range kept {
			for i := starts[b]; i < starts[b+1]; i++ {
				items = append(items, i)
			}
		}
		return items
	}
	if s.Ended() {
		return then(items(s.End.([]int)))
	}
	return &step{Candidate: items(s.Candidate), Chance: s.Chance, Next: func(o algo.Outcome) *step {
		return expand(s.Next(o), starts, then)
	}}
}
