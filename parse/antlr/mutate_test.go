package antlr

import (
	"bytes"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"whittle/internal/testkit/cases"
	"whittle/parse"
)

func TestMutatedInputs(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, r := range archives(t) {
		l := r.language(t)
		for _, name := range slices.Sorted(maps.Keys(r.inputs)) {
			checked := slices.Collect(cases.Of(t, 40, 5))
			for i := range 40 {
				text := mutate(random, r.inputs[name])
				if !slices.Contains(checked, i) {
					continue
				}
				tree, err := l.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				whole := parse.Whole(tree)
				if !bytes.Equal(whole.Render(), text) {
					t.Errorf("%s: %q became %q", r.name, text, whole.Render())
				}
				if n := l.Errors(text); n != tree.Errors {
					t.Errorf("%s: %q has %d errors, its tree %d", r.name, text, n, tree.Errors)
				}
				for n := range int32(len(tree.Nodes)) {
					if c := whole.Prune(n); c.Weight() > whole.Weight() {
						t.Errorf("%s: %q without node %d grew to %q", r.name, text, n, c.Render())
					}
				}
			}
		}
	}
}

func mutate(random *rand.Rand, text []byte) []byte {
	out := bytes.Clone(text)
	for range 1 + random.Intn(3) {
		if len(out) == 0 {
			return out
		}
		from := random.Intn(len(out))
		to := min(len(out), from+1+random.Intn(4))
		piece := bytes.Clone(out[from:to])
		switch random.Intn(3) {
		case 0:
			out = append(out[:from], out[to:]...)
		case 1:
			out = append(out[:to], append(piece, out[to:]...)...)
		case 2:
			out = append(append(out[:from], out[to:]...), piece...)
		}
	}
	return out
}
