package parse

import "slices"

// Runs returns the runs of two or more siblings that may replace an ancestor: the nodes inside a
// pair of brackets, all members of a list, or a node with the semicolon after it unless that is the
// last node.
//
//	{ a; { b; c; } }        a block in a block
//	if x:                   a list without brackets
//	    b
//	    c
//	for (b; x; y) c;        b;
func (t *Tree) Runs(siblings []int32) (runs [][]int32) {
	n := len(siblings)
	switch {
	case n < 2:
	case slices.Contains([]string{"()", "[]", "{}", "<>"}, t.textOf(siblings[0])+t.textOf(siblings[n-1])):
		if n > 3 {
			runs = append(runs, siblings[1:n-1])
		}
	case t.areMembers(siblings):
		runs = append(runs, siblings)
	default:
		for i := 1; i < n-1; i++ {
			if t.textOf(siblings[i]) == ";" && !t.IsFixed(siblings[i-1]) {
				runs = append(runs, siblings[i-1:i+1:i+1])
			}
		}
	}
	return runs
}

func (t *Tree) areMembers(siblings []int32) bool {
	return !slices.ContainsFunc(siblings, func(n int32) bool {
		s := t.Nodes[n].Slot
		return s != Star && s != Plus && s != Separator
	})
}

func (t *Tree) textOf(n int32) string {
	if !t.IsLeaf(n) {
		return ""
	}
	return string(t.leaf(n))
}
