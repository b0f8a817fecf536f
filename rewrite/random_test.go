package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/testkit/samples"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/pass"
	"whittle/rewrite"
)

func TestRandomChanges(t *testing.T) {
	const drawn, most = 2, 20 // per language, and per family
	for _, l := range grammars.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(l.Name)), 16))
			for range drawn {
				tree := draw(t, r, l)
				base := parse.Whole(tree)
				for _, family := range rewrite.Families() {
					changes := family.Find(rewrite.NewFile(tree))
					r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
					for _, change := range changes[:min(len(changes), most)] {
						c := change.Apply(base)
						if c == nil {
							t.Fatalf("%s: a change cannot be applied to %q", family.Name, tree.Source)
						}
						if _, err := l.Parse(c.Render()); err != nil {
							t.Logf("%s: %v", family.Name, err) // a refusal
						}
					}
				}
			}
		})
	}
}

// A coherent candidate must still be an archive.
func TestRandomSeveral(t *testing.T) {
	const drawn, most = 6, 60
	r, languages := rand.New(rand.NewPCG(3, 18)), grammars.All()
	for range drawn {
		var entries []archive.Entry
		for i := range 4 {
			l := languages[r.IntN(len(languages))]
			content := draw(t, r, l).Source
			if i > 0 {
				content = append([]byte(entries[0].Path+"\n"), content...) // may be an include
			}
			entries = append(entries, archive.Entry{Path: fmt.Sprint("f", i), Content: content, Language: l})
		}
		set := archive.New(entries)
		tree, err := set.Parse(set.Archive())
		if err != nil {
			continue
		}
		for _, family := range rewrite.Families() {
			changes := family.Find(rewrite.NewFile(tree))
			r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
			for _, change := range changes[:min(len(changes), most)] {
				c := change.Apply(parse.Whole(tree))
				if c == nil {
					t.Fatalf("%s: a change cannot be applied to %q", family.Name, tree.Source)
				}
				if _, err := set.Entries(c.Render()); err != nil && c.Coherent() {
					t.Errorf("%s: %v: %q", family.Name, err, c.Render())
				}
			}
		}
	}
}

func TestRandomPass(t *testing.T) {
	for _, l := range grammars.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(l.Name)), 17))
			tree := draw(t, r, l)
			needles := samples.Needles(r, tree.Source, 4)
			for _, p := range []pass.Pass{rewrite.Pass(rewrite.Families()...), rewrite.Literals(), rewrite.Rename()} {
				t.Run(p.Name, func(t *testing.T) {
					follow(t, p, l, tree, func(c *parse.Candidate) bool { return samples.Contains(c.Render(), needles) })
				})
			}
		})
	}
}

// follow also checks that candidates have no more errors than the tree.
func follow(t *testing.T, p pass.Pass, l parse.Language, tree *parse.Tree, holds func(*parse.Candidate) bool,
) (best parse.Measure, asked int) {
	allowed := map[string]bool{}
	gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool {
		fits := l.Errors(c.Render()) <= tree.Errors
		allowed[string(c.Render())] = fits
		return fits
	}}
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 1}, Parse: l.Parse,
		Facts: factsOf(l)}
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

func TestRandomNames(t *testing.T) {
	const drawn = 4
	for _, l := range grammars.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(l.Name)), 19))
			for range drawn {
				tree := draw(t, r, l)
				first := true
				follow(t, rewrite.Rename(), l, tree, func(c *parse.Candidate) bool {
					other, err := l.Parse(c.Render())
					if first && (err != nil || !parse.Alike(tree, other, func(int32, bool) bool { return true })) {
						t.Errorf("%q became %q, which parses differently", tree.Source, c.Render())
					}
					first = false
					return r.IntN(2) == 0
				})
			}
		})
	}
}

func draw(t *testing.T, r *rand.Rand, l grammars.Language) *parse.Tree {
	all, err := samples.Of("..", l.Name)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		tree, err := l.Parse(samples.Draw(r, all, 400))
		if err == nil {
			return tree
		}
	}
	t.Skip(fmt.Sprint("nothing of ", l.Name, " was read"))
	return nil
}

func factsOf(l parse.Language) pass.Facts {
	if table, ok := l.(grammars.Language); ok {
		return grammars.BundledRules(table.Name).Facts
	}
	return pass.Facts{}
}
