package c2d2_test

import (
	"fmt"
	"slices"

	"whittle/algo"
	"whittle/algo/c2d2"
)

// The last of six changes is critical. It and the one before it call a function that the first declares, and do not
// compile without it.
func ExampleNew() {
	changes := []string{"declare", "rename", "log", "format", "retry", "crash"}
	calls := [][]int{4: {0}, 5: {0}}
	search := c2d2.New(calls, algo.Params{P0: 0.1})(make([]int, len(changes)))
	left := algo.All(len(changes))
	for !search.Ended() {
		kept, outcome := search.Candidate, algo.Uninteresting
		switch declared := slices.Contains(kept, 0); {
		case !declared && (slices.Contains(kept, 4) || slices.Contains(kept, 5)):
			outcome = algo.Unresolved
		case slices.Contains(kept, 5):
			outcome, left = algo.Interesting, kept
		}
		search = search.Next(outcome)
	}
	for _, i := range left {
		fmt.Println(changes[i])
	}
	// Output:
	// declare
	// crash
}
