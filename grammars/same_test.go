package grammars

import (
	"bytes"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"whittle/internal/testkit/cases"
	"whittle/internal/testkit/samples"
	"whittle/parse"
)

// Trees do not depend on texts parsed before or concurrently.
func TestSameTree(t *testing.T) {
	for _, l := range All() {
		t.Run(l.Name, func(t *testing.T) {
			texts := drawn(t, l, 40)
			trees := make([]*parse.Tree, len(texts)) // nil after an error
			part := slices.Collect(cases.Of(t, len(texts), 5))
			for _, i := range part {
				trees[i], _ = l.Parse(texts[i])
			}
			check := func(i int) {
				if again, err := l.Parse(texts[i]); !sameTree(trees[i], again) {
					t.Errorf("%q has another tree at another time (%v)", texts[i], err)
				}
			}
			for _, i := range slices.Backward(part) {
				check(i)
			}
			var all sync.WaitGroup
			for k := range uint64(8) {
				all.Go(func() {
					for _, i := range rand.New(rand.NewPCG(1, k)).Perm(len(part)) {
						check(part[i])
					}
				})
			}
			all.Wait()
		})
	}
}

// drawn always returns the same random texts.
func drawn(t *testing.T, l Language, n int) (texts [][]byte) {
	all, err := samples.Of("..", l.Name)
	if err != nil {
		t.Fatal(err)
	}
	hash := fnv.New64()
	hash.Write([]byte(l.Name))
	r := rand.New(rand.NewPCG(1, hash.Sum64()))
	for len(texts) < n {
		text := samples.Draw(r, all, 1000)
		for range r.IntN(4) {
			from := r.IntN(len(text) + 1)
			text = slices.Delete(text, from, min(len(text), from+r.IntN(20)))
		}
		texts = append(texts, text)
	}
	return texts
}

func sameTree(a, b *parse.Tree) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Errors == b.Errors && a.Indented == b.Indented && bytes.Equal(a.Source, b.Source) &&
		slices.Equal(a.Tokens, b.Tokens) && slices.Equal(a.Nodes, b.Nodes)
}
