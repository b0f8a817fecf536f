// Package passtest parses projects and runs passes in tests.
package passtest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/internal/testkit/samples"
	"whittle/parse"
	"whittle/pass"
)

// Follow runs a pass to its end, and returns the best file and the number of questions. Candidates must be better than
// the best file, and have no more errors than the tree.
func Follow(
	t *testing.T, p pass.Pass, l parse.Language, facts pass.Facts, tree *parse.Tree, holds func(*parse.Candidate) bool,
) (best parse.Measure, asked int) {
	allowed := map[string]bool{}
	gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool {
		fits := l.Errors(c.Render()) <= tree.Errors
		allowed[string(c.Render())] = fits
		return fits
	}}
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 1}, Parse: l.Parse,
		Facts: facts}
	for next := plan.Policy; next != nil; next = next.Round(best.Tokens, best.Tokens) {
		plan.Policy = next // as after the last round
	}
	base := tree
	best = parse.Whole(tree).Measure()
	for s := p.Search(tree, gate, plan); !s.Ended(); asked++ {
		if t := s.Candidate.Tree(); t != base { // an accepted file was parsed again
			base, best = t, parse.Whole(t).Measure()
		}
		if asked > 40*(best.Tokens+10) {
			t.Fatalf("%d questions about %q", asked, tree.Source)
		}
		text := s.Candidate.Render()
		if !allowed[string(text)] {
			t.Fatalf("the gate does not allow %q", text)
		}
		if !holds(s.Candidate) {
			s = s.Next(algo.Uninteresting)
			continue
		}
		m := s.Candidate.Measure()
		if !m.Less(best) {
			t.Fatalf("%q is no better than %q", m.File, best.File)
		}
		best = m
		s = s.Next(algo.Interesting)
	}
	return best, asked
}

// Draw parses a random text of the samples of a language, see [samples.Draw].
func Draw(t *testing.T, r *rand.Rand, root, language string, l parse.Language) *parse.Tree {
	all, err := samples.Of(root, language)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		tree, err := l.Parse(samples.Draw(r, all, 400))
		if err == nil {
			return tree
		}
	}
	t.Skip(fmt.Sprint("nothing of ", language, " was read"))
	return nil
}
