package search_test

import (
	"bytes"
	"context"
	"fmt"

	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// This search drops items while the rest is interesting.
func ExampleRun() {
	items := []byte("whittle")
	keep := func(kept []int) (text []byte) {
		for _, i := range kept {
			text = append(text, items[i])
		}
		return text
	}
	runner := &search.Runner{Jobs: 8, Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
		if bytes.ContainsRune(candidate, 'h') && bytes.ContainsRune(candidate, 'e') {
			return algo.Interesting, nil
		}
		return algo.Uninteresting, nil
	}}
	best := items
	_, err := search.Run(context.Background(), runner, algo.DDMin(make([]int, len(items))), keep,
		func(s *algo.Step[[]int], a oracle.Answer) (goOn bool) {
			if a.Outcome == algo.Interesting {
				best = keep(s.Candidate)
			}
			return true
		})
	fmt.Printf("%s %v\n", best, err)
	// Output:
	// he <nil>
}
