package algo_test

import (
	"fmt"
	"slices"

	"whittle/algo"
)

func Example() {
	reduce := algo.WProbDD(0.2)
	words := []string{"a", "bug", "needs", "its", "habitat"}
	var weights []int
	for _, w := range words {
		weights = append(weights, len(w))
	}

	var best []string
	for s := reduce(weights); s != nil; {
		var kept []string
		for _, i := range s.Candidate {
			kept = append(kept, words[i])
		}
		o := algo.Uninteresting
		if slices.Contains(kept, "bug") && slices.Contains(kept, "habitat") {
			o = algo.Interesting
			best = kept
		}
		fmt.Println(kept, o)
		s = s.Next(o)
	}
	fmt.Println("left:", best)
	// Output:
	// [a bug its] uninteresting
	// [a needs] uninteresting
	// [a its habitat] uninteresting
	// [a needs habitat] uninteresting
	// [a bug needs its] uninteresting
	// [a bug needs habitat] interesting
	// [a bug habitat] interesting
	// [habitat] uninteresting
	// [bug habitat] interesting
	// [habitat] uninteresting
	// left: [bug habitat]
}
