package rules_test

import (
	"math/rand/v2"
	"testing"

	"whittle/grammars"
	"whittle/internal/testkit/samples"
	"whittle/parse"
)

// Candidates render and mostly parse as well as the file, also after several rules.
func TestRandomFiles(t *testing.T) {
	const files, limit = 30, 2000
	for _, language := range grammars.WithRules() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			l, _ := grammars.Find(language)
			all, err := samples.Of("../..", language)
			if err != nil {
				t.Fatal(err)
			}
			set := bundled(t, language)
			find := set.In(l)
			r := rand.New(rand.NewPCG(16, 1))
			made, right := 0, 0
			for range files {
				file := samples.Draw(r, all, limit)
				for range 5 {
					tree, err := l.Parse(file)
					if err != nil {
						break
					}
					errors := tree.Errors
					var next [][]byte
					for i := range set.Rules {
						for _, m := range find.Matches(i, tree) {
							c := parse.Whole(tree).Apply(m.Edits...).Drop(m.Drop...)
							text := c.Render()
							m.Texts(tree)
							if r.IntN(20) == 0 || len(next) == 0 {
								next = append(next, text)
								made++
								if l.Errors(text) <= errors {
									right++
								} else if testing.Verbose() {
									t.Logf("%s => %s", m.Rule.Pattern, m.Rule.With[m.With])
								}
							}
						}
					}
					if len(next) == 0 {
						break
					}
					file = next[r.IntN(len(next))]
				}
			}
			t.Logf("%d of %d candidates parse", right, made)
			if right*10 < made*8 {
				t.Errorf("%d of %d candidates parse; at least eight of ten should", right, made)
			}
		})
	}
}
