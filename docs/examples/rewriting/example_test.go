// Package rewriting shows how to add a rewriting pass from outside of whittle.
package rewriting

import (
	"context"
	"fmt"
	"regexp"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

// zeros is a pass that replaces the initial values of C variables with 0. A pass finds nodes by
// the names of kinds and fields in the grammar.
func zeros() pass.Pass {
	return pass.Pass{Name: "zeros", Search: func(t *parse.Tree, gate pass.Gate, _ pass.Plan) *pass.Step {
		var edits []parse.Edit
		for n := range int32(len(t.Nodes)) {
			if value := t.Child(n, "value"); t.Is(n, "init_declarator") && value >= 0 {
				edits = append(edits, t.Replace([]int32{value}, parse.Literal("", "0")))
			}
		}
		return try(parse.Whole(t), edits, gate)
	}}
}

// try is the search that asks about one edit after the other: a question, and its continuation
// for each outcome. The gate rejects candidates that are not better or do not parse.
func try(base *parse.Candidate, edits []parse.Edit, gate pass.Gate) *pass.Step {
	for i, e := range edits {
		candidate := base.Apply(e)
		if !gate.Allows(base, candidate) {
			continue
		}
		return &pass.Step{Candidate: candidate, Next: func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting {
				return try(candidate, edits[i+1:], gate)
			}
			return try(base, edits[i+1:], gate)
		}}
	}
	return nil // the end of the search
}

func Example() {
	c, _ := grammars.Find("c")
	needed := regexp.MustCompile(`x = .*y = 7`)
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input:    []byte("int f(int a) { return a; }\nint x = f(1) + 2, y = 7, z = 3;\n"),
		Language: c,
		Passes:   []pass.Pass{zeros()}, // run after the passes of the driver
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if needed.Match(candidate) {
				return algo.Interesting, nil
			}
			return algo.Uninteresting, nil
		},
	})
	fmt.Print(string(result.File), err)
	// Output:
	// int x = 0, y = 7;
	// <nil>
}
