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

// In a large file, a change in many places is not parsed before its test.
func TestLargeContext(t *testing.T) {
	l, _ := grammars.Find("rust")
	one := "fn f() { g(1) }\n"
	for _, x := range []struct {
		source string
		want   bool
	}{{strings.Repeat(one, largeContext/len(one)), true}, {strings.Repeat(one, 2*largeFile/len(one)), false}} {
		tree, err := l.Parse([]byte(x.source))
		if err != nil {
			t.Fatal(err)
		}
		base, gone := parse.Whole(tree), []int32(nil)
		for n := range int32(len(tree.Nodes)) {
			if tree.IsLeaf(n) && string(base.TextOf(n)) == ")" {
				gone = append(gone, n)
			}
		}
		g := &gate{strict: true, language: l}
		c := base.Drop(gone...)
		if worse := g.worse(base, c); worse != x.want {
			t.Errorf("%d bytes without %d brackets are worse: %v", len(x.source), len(gone), worse)
		}
	}
}
