// Package algorithm shows how a list algorithm is added from outside.
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

// step asks whether some items of a list suffice, and knows how to go on.
type step = algo.Step[[]int]

// gallop removes items from the end of a list: one, then twice as many after each
// success and half as many after a failure. What cannot go alone is kept.
//
//	a b c d e f g h    c is needed
//	              -    interesting
//	          ---      interesting
//	  -------          uninteresting
//	      ---          interesting, and so on
func gallop(weights []int) *step {
	return try(algo.All(len(weights)), len(weights), 1)
}

// try removes so many of the items in front of place end; those behind are needed.
func try(list []int, end, size int) *step {
	if end == 0 {
		return nil // nothing is left to ask
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
		Policy:   rounds.Plain(gallop), // in the place of whittle's own
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
