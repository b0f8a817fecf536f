package parse

import (
	"slices"
	"testing"
)

func TestParents(t *testing.T) {
	tree := &Tree{Nodes: []Node{{Parent: -1}, {Parent: 0}, {Parent: 1}, {Parent: 0}, {Parent: 3}, {Parent: 0}}}
	for _, x := range []struct{ nodes, want []int32 }{
		{nil, nil},
		{[]int32{0}, nil},
		{[]int32{1, 3, 5}, []int32{0}},
		{[]int32{2, 3}, []int32{1, 0}},
		{[]int32{1, 2, 3, 4}, []int32{1, 0, 3}},
		{[]int32{1, 2, 3, 4, 5}, []int32{1, 3, 0}},
	} {
		if got := tree.parents(x.nodes); !slices.Equal(got, x.want) {
			t.Errorf("the parents of %v are %v, want %v", x.nodes, got, x.want)
		}
	}
}
