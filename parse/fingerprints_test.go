package parse_test

import (
	"strings"
	"testing"
	"time"

	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/text"
)

func find(t *testing.T, tree *parse.Tree, text string) int32 {
	t.Helper()
	for n := range tree.Nodes {
		node := tree.Nodes[n]
		if node.Last > node.First && string(tree.Source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End]) == text {
			return int32(n)
		}
	}
	t.Fatalf("no %q", text)
	return 0
}

func TestFingerprints(t *testing.T) {
	const source = "int a; int f() { return (a + 1); } int g() { a = 2; b(); }\n"
	language := grammars.ForFile("x.c")
	type known struct{ row, counts, around, replaced uint64 }
	of := func(source string) known {
		tree, err := language.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		s := parse.NewFingerprints(parse.Whole(tree))
		n := find(t, tree, "return (a + 1);")
		sum, a := find(t, tree, "(a + 1)"), find(t, tree, "a + 1")
		return known{s.Siblings(n), s.Counts(n), s.Contexts(n), s.Replacement(sum, a+1)}
	}
	base := of(source)
	for _, tt := range []struct {
		source                               string
		siblings, counts, contexts, replaced bool
	}{
		{source, true, true, true, true},
		{"int a; int f() { return (a + 1); } int g() { a = 2; }\n", true, true, true, true},
		{"int a; int f() { return (a + 1); } int g() { a = 3; }\n", true, true, false, true},
		{"int a; int f() { return (a + 1); }\n", true, false, false, true},
		{"int a; int f() { a; return (a + 1); } int g() { b(); }\n", false, true, false, true},
		{"int a; int f() { return (a + 1); ; } int g() { a = 2; b(); }\n", false, true, true, true},
	} {
		got := of(tt.source)
		if got.row == base.row != tt.siblings || got.counts == base.counts != tt.counts ||
			got.around == base.around != tt.contexts || got.replaced == base.replaced != tt.replaced {
			t.Errorf("%s%v, base %v", tt.source, got, base)
		}
	}
}

func TestFingerprintsOfCandidate(t *testing.T) {
	language := grammars.ForFile("x.c")
	tree, _ := language.Parse([]byte("int a; int b; int c;\n"))
	less := parse.Whole(tree).Drop(find(t, tree, "int b;"))
	read, _ := language.Parse(less.Render())
	n, m := find(t, tree, "int c;"), find(t, read, "int c;")
	a, b := parse.NewFingerprints(less), parse.NewFingerprints(parse.Whole(read))
	if a.Siblings(n) != b.Siblings(m) || a.Counts(n) != b.Counts(m) {
		t.Error("it is not known again")
	}
}

func TestFingerprintsOfLongLine(t *testing.T) {
	took := func(n int) time.Duration {
		tree, err := text.Structure.Parse([]byte(strings.Repeat("ab ", n)))
		if err != nil {
			t.Fatal(err)
		}
		best := time.Hour
		for range 3 {
			began := time.Now()
			parse.NewFingerprints(parse.Whole(tree))
			best = min(best, time.Since(began))
		}
		return best
	}
	const n = 20_000
	if few, many := took(n), took(8*n); many > 40*few {
		t.Errorf("%v for %d words, %v for 8 times as many", few, n, many)
	}
}
