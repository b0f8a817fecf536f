// Package rewriting shows how a pass that rewrites is added from outside.
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

// zeros is a pass that puts 0 in the place of what C's variables begin with. A pass
// finds what it looks for by the names that the grammar has for kinds and fields.
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

// try is the search that asks about one edit after the other: a question, and how it
// goes on after each outcome. The gate knows what is no better or does not parse.
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
	return nil // nothing is left to try
}

func Example() {
	c, _ := grammars.Find("c")
	needed := regexp.MustCompile(`x = .*y = 7`)
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input:    []byte("int f(int a) { return a; }\nint x = f(1) + 2, y = 7, z = 3;\n"),
		Language: c,
		Passes:   []pass.Pass{zeros()}, // behind those of the driver
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
