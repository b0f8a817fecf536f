package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"whittle/grammars"
	"whittle/internal/testkit/passtest"
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
				tree := passtest.Draw(t, r, "..", l.Name, l)
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
			content := passtest.Draw(t, r, "..", l.Name, l).Source
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
			tree := passtest.Draw(t, r, "..", l.Name, l)
			needles := samples.Needles(r, tree.Source, 4)
			passtest.Follow(t, rewrite.Pass(rewrite.Families()...), l, pass.Facts{}, tree, func(c *parse.Candidate) bool {
				return samples.Contains(c.Render(), needles)
			})
		})
	}
}
