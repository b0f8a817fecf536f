package pass

import (
	"bytes"

	"whittle/algo"
	"whittle/parse"
)

// Layout tries up to three plain layouts: one statement per line if that parses the same; the lines of the file; and
// the same more conservatively. The first interesting one is accepted. It may not be longer than the input.
func Layout() Pass {
	return Pass{Name: "layout", When: Last, Plainer: true, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		candidates := []*parse.Candidate{parse.Plain(t, false), parse.Plain(t, true)}
		if pretty := lines(t, plan); pretty != nil {
			candidates = append([]*parse.Candidate{pretty}, candidates...)
		}
		return layout(parse.Whole(t), gate, plan, candidates)
	}}
}

func layout(base *parse.Candidate, gate Gate, plan Plan, candidates []*parse.Candidate) *Step {
	for i, c := range candidates {
		if bytes.Equal(c.Render(), base.Render()) {
			return nil
		}
		if c.Weight() > base.Weight() || gate.longer(c.Render()) || !gate.fits(base, c) || !asLight(c, plan) {
			continue
		}
		return &Step{Candidate: c, Next: func(o algo.Outcome) *Step {
			if o == algo.Interesting {
				return nil
			}
			return layout(base, gate, plan, candidates[i+1:])
		}}
	}
	return nil
}

// asLight reports whether c, parsed again, does not have more tokens, except line breaks that are tokens.
func asLight(c *parse.Candidate, plan Plan) bool {
	tree, err := plan.Parse(c.Render())
	if err != nil {
		return false
	}
	more := parse.Whole(tree).Weight() - c.Weight()
	return more <= 0 || !tree.NoSyntax && more <= tree.Spaces()-c.Tree().Spaces()
}

// lines returns the file with one statement per line where that parses the same; nil without syntax.
func lines(t *parse.Tree, plan Plan) *parse.Candidate {
	binary := t.Parts == nil && bytes.IndexByte(t.Source, 0) >= 0
	if t.NoSyntax || binary {
		return nil
	}
	return parse.NewPretty(t).Best(func(c *parse.Candidate) bool {
		tree, err := plan.Parse(c.Render())
		return err == nil && parse.Alike(t, tree, func(int32, bool) bool { return false })
	})
}
