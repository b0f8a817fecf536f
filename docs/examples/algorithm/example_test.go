// Package algorithm shows how to add a list algorithm from outside of whittle.
package algorithm

import (
	"bytes"
	"context"
	"fmt"

	"whittle"
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/grammars"
)

// step tests some items of a list and returns the next step.
type step = algo.Step[[]int]

// gallop removes items from the end of a list: one, then twice as many after each success and
// half as many after a failure. An item that cannot be removed alone is kept.
//
//	a b c d e f g h    c is needed
//	              -    interesting
//	          ---      interesting
//	  -------          uninteresting
//	      ---          interesting, and so on
func gallop(weights []int) *step {
	return try(algo.All(len(weights)), len(weights), 1)
}

// try removes size items before end; the later items are required.
func try(list []int, end, size int) *step {
	if end == 0 {
		return nil // the end of the search
	}
	size = min(size, end)
	rest := algo.Without(list, list[end-size:end])
	return algo.Ask(rest,
		func() *step { return try(rest, end-size, 2*size) },
		func() *step {
			if size == 1 {
				return try(list, end-1, 1)
			}
			return try(list, end, size/2)
		})
}

func Example() {
	c, _ := grammars.Find("c")
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input:    []byte("int a;\nint b;\nint f(int x) { if (x) { crash(); } return x; }\nint c;\n"),
		Language: c,
		Policy:   rounds.Plain(gallop), // replaces whittle's own algorithm
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if !bytes.Contains(candidate, []byte("crash()")) {
				return algo.Uninteresting, nil
			}
			return algo.Interesting, nil
		},
	})
	fmt.Print(string(result.File), err)
	// Output:
	// crash();
	// <nil>
}
