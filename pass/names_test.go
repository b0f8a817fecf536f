package pass_test

import (
	"slices"
	"testing"

	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

func TestUndefined(t *testing.T) {
	const source = "int a; f(b); int c = a; int b = c; int a;"
	tree, err := grammars.ForFile("x.c").Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	whole := parse.Whole(tree)
	items := whole.Items(0)
	for _, test := range []struct {
		before, gone   []int    // items that base and candidate lack
		declared, some []string // names without their declaration; or without their first mention
	}{
		{nil, []int{0}, []string{"a"}, []string{"a", "int"}},
		{nil, []int{1}, nil, nil},
		{nil, []int{2}, []string{"c"}, []string{"c"}},
		{nil, []int{3}, []string{"b"}, []string{"b"}},
		{nil, []int{3, 1}, nil, nil},
		{nil, []int{4}, nil, nil},
		{[]int{0}, []int{4}, []string{"a"}, []string{"a"}},
		{[]int{3}, []int{2}, nil, nil},
		{nil, []int{0, 2, 3}, []string{"a", "b"}, []string{"a", "b", "int"}},
	} {
		drop := func(c *parse.Candidate, gone []int) *parse.Candidate {
			for _, i := range gone {
				c = c.Drop(items[i])
			}
			return c
		}
		base := drop(whole, test.before)
		c := drop(base, test.gone)
		ns := pass.NamesOf(whole)
		for _, declared := range []bool{false, true} {
			want := test.some
			if declared {
				want = test.declared
			}
			got := ns.Undefined(base, c, declared)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("without %d, then without %d, declared %v: %q, want %q", test.before, test.gone, declared, got, want)
			}
		}
	}
	tree, err = grammars.ForFile("x.c").Parse([]byte("f(a); g(a);"))
	if err != nil {
		t.Fatal(err)
	}
	calls := parse.Whole(tree)
	without := calls.Drop(calls.Items(0)[0])
	if got := pass.NamesOf(calls).Undefined(calls, without, false); !slices.Equal(got, []string{"a"}) {
		t.Errorf("without the first mention: %q", got)
	}
	if got := pass.NamesOf(calls).Undefined(calls, without, true); got != nil {
		t.Errorf("without a declaration: %q", got)
	}
	// The name of a function may be in parentheses.
	other, err := grammars.ForFile("x.c").Parse([]byte("int (f)(int a) { return a; } int b = f(1);"))
	if err != nil {
		t.Fatal(err)
	}
	function := parse.Whole(other)
	gone := function.Drop(function.Items(0)[0])
	if got := pass.NamesOf(function).Undefined(function, gone, true); !slices.Equal(got, []string{"f"}) {
		t.Errorf("without a function in parentheses: %q", got)
	}
	// The definition may move.
	first, end := calls.Items(0)[0], tree.Nodes[calls.Items(0)[1]].Last-1
	with := []parse.Piece{parse.Literal("", "; {"), parse.Nodes(first), parse.Literal("", "}")}
	moved := calls.Apply(parse.Edit{From: end, To: end + 1, With: with}).Drop(first)
	if got := pass.NamesOf(calls).Undefined(calls, moved, false); len(got) > 0 {
		t.Errorf("after %s: %q", moved.Render(), got)
	}
}
