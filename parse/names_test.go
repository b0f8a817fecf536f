package parse_test

import (
	"fmt"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func ExampleTree_Child() {
	c, _ := grammars.Find("c")
	tree, err := c.Parse([]byte("int f(int a) { return max(a, 1) + a; }\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	text := parse.Whole(tree)
	for n := range int32(len(tree.Nodes)) {
		if tree.Is(n, "call_expression") {
			function, arguments := tree.Child(n, "function"), tree.Child(n, "arguments")
			fmt.Println(tree.Field(n), tree.Kind(function), string(text.TextOf(function)))
			for _, d := range text.Items(arguments) {
				fmt.Println(tree.Kind(d), string(text.TextOf(d)))
			}
		}
	}
	// Output:
	// left identifier max
	// identifier a
	// number_literal 1
}

// If the field of a kind in the chain contains the whole node, InField returns the node itself.
func TestChain(t *testing.T) {
	chains := parse.NewChains()
	inner := chains.Add(parse.Link{Kind: 3, Field: 4})
	outer := chains.Add(parse.Link{Kind: 1, Field: 2, Below: inner})
	if again := chains.Add(parse.Link{Kind: 1, Field: 2, Below: inner}); again != outer {
		t.Errorf("the same chain is %d and %d", outer, again)
	}
	if nameless := chains.Add(parse.Link{Below: inner}); nameless != inner {
		t.Errorf("a link without names is one: %d", nameless)
	}
	tree := &parse.Tree{
		Nodes: []parse.Node{
			{Next: 4, Parent: -1, Chain: chains.Add(parse.Link{Kind: 5})},
			{Next: 3, Parent: 0}, // does not occur in the grammar
			{Next: 3, Parent: 1, Chain: outer},
			{Next: 4, Parent: 0, Chain: inner},
		},
		Names: []string{"", "declaration", "parameter", "word", "type", "list"},
		Links: chains.Links,
	}
	for _, x := range []struct {
		n     int32
		field string
		want  int32
	}{
		{0, "parameter", 2}, {0, "type", 3}, {2, "type", 2}, {2, "parameter", -1}, {3, "type", -1}, {0, "", -1}, {0, "none",
			-1},
	} {
		if got := tree.Child(x.n, x.field); got != x.want {
			t.Errorf("%q of node %d is %d, want %d", x.field, x.n, got, x.want)
		}
	}
	if got := tree.Kind(2) + tree.Field(2) + tree.Kind(1) + tree.Field(1); got != "wordparameter" {
		t.Errorf("kinds and fields are %q", got)
	}
	if !tree.Is(2, "declaration") || !tree.Is(2, "word") || tree.Is(2, "list") || tree.Is(1, "") {
		t.Error("a node is not what it is")
	}
}
