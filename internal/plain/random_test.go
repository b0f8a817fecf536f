package plain_test

import (
	"math/rand/v2"
	"testing"

	"whittle/grammars"
	"whittle/internal/plain"
	"whittle/internal/testkit/passtest"
	"whittle/internal/testkit/samples"
	"whittle/parse"
	"whittle/pass"
)

func TestRandomPass(t *testing.T) {
	for _, l := range grammars.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(l.Name)), 17))
			tree := passtest.Draw(t, r, "../..", l.Name, l)
			needles := samples.Needles(r, tree.Source, 4)
			for _, p := range []pass.Pass{plain.Literals(), plain.Names()} {
				t.Run(p.Name, func(t *testing.T) {
					passtest.Follow(t, p, l, factsOf(l.Name), tree, func(c *parse.Candidate) bool {
						return samples.Contains(c.Render(), needles)
					})
				})
			}
		})
	}
}

func TestRandomNames(t *testing.T) {
	const drawn = 4
	for _, l := range grammars.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(l.Name)), 19))
			for range drawn {
				tree := passtest.Draw(t, r, "../..", l.Name, l)
				first := true
				passtest.Follow(t, plain.Names(), l, factsOf(l.Name), tree, func(c *parse.Candidate) bool {
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

func factsOf(language string) pass.Facts { return grammars.BundledRules(language).Facts }
