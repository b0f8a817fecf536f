package pass

import (
	"bytes"
	"errors"
	"fmt"

	"whittle/algo"
	"whittle/parse"
)

// Format tries the output of a formatter, as one candidate at the end. It may be longer than the file but not longer
// than the input. It may have neither more syntax errors than the file nor more tokens, except commas and semicolons.
// The formatter runs when the pass begins, and must not change its own output, so that another run has the same result.
// If the output is unusable, refused gets the reason.
func Format(format func(file []byte) ([]byte, error), refused func(error)) Pass {
	search := func(t *parse.Tree, gate Gate, plan Plan) *Step {
		c, err := formatted(t, format, gate, plan)
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

// formatted returns nil if the file does not change.
func formatted(t *parse.Tree, format func(file []byte) ([]byte, error), gate Gate, plan Plan,
) (*parse.Candidate, error) {
	file, err := format(t.Source)
	if err != nil || bytes.Equal(file, t.Source) {
		return nil, err
	}
	tree, err := plan.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("its output cannot be parsed: %w", err)
	}
	if tree.Errors > t.Errors {
		return nil, fmt.Errorf("its output has %d syntax errors, and the file has %d", tree.Errors, t.Errors)
	}
	c := parse.Whole(tree)
	if before := parse.Whole(t); c.Weight()-separators(tree) > before.Weight()-separators(t) {
		return nil, fmt.Errorf("its output has %d tokens, and the file has %d", c.Weight(), before.Weight())
	}
	if gate.longer(file) {
		return nil, errors.New("its output is longer than the input")
	}
	switch again, err := format(file); {
	case err != nil:
		return nil, err
	case !bytes.Equal(again, file):
		return nil, errors.New("it changes its own output in a second run")
	}
	return c, nil
}

func separators(t *parse.Tree) (n int) {
	for _, k := range t.Tokens {
		if text := string(t.Source[k.Start:k.End]); text == "," || text == ";" {
			n++
		}
	}
	return n
}
