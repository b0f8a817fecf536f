package pass

import (
	"bytes"
	"fmt"

	"whittle/algo"
	"whittle/parse"
)

// Format tries what a formatter makes of the file, last of all. That may be longer, also
// in tokens, as formatters put commas and semicolons, but not have more syntax errors.
// The formatter runs once, when the pass begins, and refused is told why its file is not
// even asked about; after that it is one candidate.
func Format(format func(file []byte) ([]byte, error), refused func(error)) Pass {
	search := func(t *parse.Tree, _ Gate, plan Plan) *Step {
		c, err := formatted(t, format, plan)
		if err != nil {
			refused(err)
		}
		if c == nil {
			return nil
		}
		return &Step{Candidate: c, Next: func(algo.Outcome) *Step { return nil }}
	}
	return Pass{Name: "format", When: Last, Plainer: true, Late: true, Search: search}
}

// formatted returns what a formatter makes of a file; nil if that is the same.
func formatted(t *parse.Tree, format func(file []byte) ([]byte, error), plan Plan) (*parse.Candidate, error) {
	file, err := format(t.Source)
	if err != nil || bytes.Equal(file, t.Source) {
		return nil, err
	}
	tree, err := plan.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("what it wrote cannot be read: %w", err)
	}
	if tree.Errors > t.Errors {
		return nil, fmt.Errorf("what it wrote has %d syntax errors, and the file %d", tree.Errors, t.Errors)
	}
	return parse.Whole(tree), nil
}
