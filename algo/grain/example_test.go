package grain_test

import (
	"fmt"
	"slices"

	"whittle/algo"
	"whittle/algo/grain"
)

// One of a thousand items is required.
func ExampleEntry() {
	search := grain.Entry().With(algo.Params{})(slices.Repeat([]int{1}, 1000))
	best, tests := algo.All(1000), 0
	for ; !search.Ended(); tests++ {
		outcome := algo.Uninteresting
		if slices.Contains(search.Candidate, 421) {
			outcome, best = algo.Interesting, search.Candidate
		}
		search = search.Next(outcome)
	}
	fmt.Println(best, "after", tests, "tests")
	// Output: [421] after 14 tests
}
