package whittle

import (
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

// In a large file only the context of a change is parsed, unless it has errors anyway.
func TestWorse(t *testing.T) {
	large := strings.Repeat("x", smallFile)
	for _, x := range []struct {
		source, gone string
		want         bool
	}{
		{"fn f() { g(1) }\n", ")", true},
		{"fn f() { g(1) }\n", "1", false},
		{"fn f() { g(1) }\nfn " + large + "() {}\n", ")", true},
		{"fn f() { g(1) }\nfn " + large + "() {}\n", "1", false},
		{"/**/fn'b>(:&'b g:&g,)->t<e>{ /**/t}{" + large, "/**/", false},
	} {
		l, _ := grammars.Find("rust")
		tree, err := l.Parse([]byte(x.source))
		if err != nil {
			t.Fatal(err)
		}
		var gone []int32
		for n, node := range tree.Nodes {
			if string(x.source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End]) == x.gone {
				gone = append(gone, int32(n))
			}
		}
		base := parse.Whole(tree)
		c := base.Drop(slices.Compact(gone)...)
		g := &gate{strict: true, language: l}
		if got := g.worse(base, c); got != x.want {
			t.Errorf("%.40q without %q is worse: %v", x.source, x.gone, got)
		}
	}
}
