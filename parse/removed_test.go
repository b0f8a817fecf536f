package parse_test

import (
	"slices"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func TestRemoved(t *testing.T) {
	tree := parsed(t, "x.c", "int a;\nint b = 2;\nint c;\n")
	whole := parse.Whole(tree)
	a := whole.Children(0)[0]
	c := whole.Drop(a).Apply(parse.Edit{From: 6, To: 7, With: []parse.Piece{parse.Literal(" ", "f(1)")}})
	if removed, edited := c.Removed(whole); !slices.Equal(removed, []int{0, 1, 2, 6}) || !edited {
		t.Errorf("removed %d, edited %t", removed, edited)
	}
	if removed, edited := c.Removed(whole.Drop(a)); !slices.Equal(removed, []int{6}) || !edited {
		t.Errorf("removed %d, edited %t", removed, edited)
	}
	if removed, edited := c.Removed(c); len(removed) > 0 || edited {
		t.Errorf("%d are removed from itself, edited %t", removed, edited)
	}
}

func TestIn(t *testing.T) {
	whole := parse.Whole(parsed(t, "x.c", "int a;\nint b = 2;\nint c;\n"))
	c := whole.Drop(whole.Children(0)[0]).Apply(parse.Edit{From: 6, To: 7, With: []parse.Piece{parse.Literal(" ", "f(1)")}})
	want := []int{-1, -1, -1, 0, 1, 2, -1, 7, 8, 9, 10}
	if got := c.In(parsed(t, "x.c", string(c.Render()))); !slices.Equal(got, want) {
		t.Errorf("tokens of %q: %d, want %d", c.Render(), got, want)
	}
}

func parsed(t *testing.T, name, text string) *parse.Tree {
	t.Helper()
	tree, err := grammars.ForFile(name).Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// A name with an XML prefix needs its declaration, unless the prefix goes as well.
func TestCoherentEdit(t *testing.T) {
	whole := parse.Whole(parsed(t, "x.xml", `<p:a xmlns:p="u"/>`))
	tree := whole.Tree()
	named := func(text string) int32 {
		for n := range int32(len(tree.Nodes)) {
			if tree.IsLeaf(n) && string(whole.TextOf(n)) == text {
				return n
			}
		}
		t.Fatalf("no leaf %s", text)
		return -1
	}
	declaration := tree.Nodes[named("xmlns:p")].Parent
	if whole.Drop(declaration).Coherent() {
		t.Error("p:a is left without a declaration")
	}
	renamed := whole.Apply(tree.Replace([]int32{named("p:a")}, parse.Literal("", "a")))
	if c := renamed.Drop(declaration); !c.Coherent() || string(c.Render()) != "<a/>" {
		t.Errorf("%q, coherent %t", c.Render(), c.Coherent())
	}
}
