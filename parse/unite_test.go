package parse_test

import (
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func TestUnite(t *testing.T) {
	tree, err := grammars.ForFile("x.c").Parse([]byte("int a; int b; int c; int d;\n"))
	if err != nil {
		t.Fatal(err)
	}
	base := parse.Whole(tree)
	items := base.Children(0)
	put := func(i int, text string) *parse.Candidate {
		return base.Apply(tree.Replace(items[i:i+1], parse.Literal("", text), parse.Literal("", ";")))
	}
	for name, x := range map[string]struct {
		a, b    *parse.Candidate
		want    string // "" if they conflict
		crosses bool
	}{
		"separate items":          {base.Drop(items[0]), base.Drop(items[2]), "int b; int d;", false},
		"one contains the other":  {base.Drop(items[0], items[1]), base.Drop(items[1]), "int c; int d;", false},
		"crossing":                {base.Drop(items[0], items[1]), base.Drop(items[1], items[2]), "int d;", true},
		"replaced, other deleted": {put(0, "x"), base.Drop(items[3]), "x; int b; int c;", false},
		"replaced and deleted":    {put(0, "x"), base.Drop(items[0]), "int b; int c; int d;", false},
		"equal replacements":      {put(0, "x"), put(0, "x"), "x; int b; int c; int d;", false},
		"different replacements":  {put(0, "x"), put(0, "y"), "", false},
	} {
		for range 2 {
			both, fit := x.a.Unite(x.b)
			got := ""
			if fit {
				got = strings.TrimSpace(string(both.Render()))
			}
			if got != x.want || x.a.Crosses(x.b) != x.crosses {
				t.Errorf("%s: %q, want %q; crosses: %v", name, got, x.want, x.a.Crosses(x.b))
			}
			if fit && both.Weight() != parse.Whole(reparsed(t, both)).Weight() {
				t.Errorf("%s: weighs %d", name, both.Weight())
			}
			x.a, x.b = x.b, x.a
		}
	}
}

func reparsed(t *testing.T, c *parse.Candidate) *parse.Tree {
	t.Helper()
	tree, err := grammars.ForFile("x.c").Parse(c.Render())
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestGone(t *testing.T) {
	tree, err := grammars.ForFile("x.c").Parse([]byte(strings.Repeat("int a; ", 50)))
	if err != nil {
		t.Fatal(err)
	}
	base := parse.Whole(tree)
	items := base.Children(0)
	c := base.Drop(items[0], items[1], items[49])
	if got := slices.Collect(c.Gone()); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 147, 148, 149}) {
		t.Errorf("gone: %v", got)
	}
	if got := slices.Collect(base.Gone()); got != nil {
		t.Errorf("gone from the whole tree: %v", got)
	}
	if lean := c.Lean(); string(lean.Render()) != string(c.Render()) || lean.Weight() != c.Weight() {
		t.Errorf("lean: %q", lean.Render())
	}
}
