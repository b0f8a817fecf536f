package parse

// Rows returns the runs among siblings that may stand in for a node above them:
// what a pair of brackets at both ends holds, or all members of a list; else each
// node with the semicolon behind it, where that is not the last, as in the head of
// a loop. A run has two nodes at least.
//
//	{ a; { b; c; } }        a block in a block
//	if x:                   a list that no brackets hold
//	    b
//	    c
//	for (b; x; y) c;        b;
func (t *Tree) Rows(siblings []int32) (rows [][]int32) {
	n := len(siblings)
	switch {
	case n < 2:
	case t.closes(siblings[0], siblings[n-1]):
		if n > 3 {
			rows = append(rows, siblings[1:n-1])
		}
	case t.areMembers(siblings):
		rows = append(rows, siblings)
	default:
		for i := 1; i < n-1; i++ {
			if t.textOf(siblings[i]) == ";" && !t.IsFixed(siblings[i-1]) {
				rows = append(rows, siblings[i-1:i+1:i+1])
			}
		}
	}
	return rows
}

// areMembers reports whether siblings are members of a list, and separators.
func (t *Tree) areMembers(siblings []int32) bool {
	for _, n := range siblings {
		if s := t.Nodes[n].Slot; s != Star && s != Plus && s != Separator {
			return false
		}
	}
	return true
}

// closes reports whether two nodes are a pair of brackets.
func (t *Tree) closes(open, close int32) bool {
	switch t.textOf(open) + t.textOf(close) {
	case "()", "[]", "{}", "<>":
		return true
	}
	return false
}

// textOf returns the text of a leaf, "" of any other node.
func (t *Tree) textOf(n int32) string {
	if !t.IsLeaf(n) || t.Nodes[n].First == t.Nodes[n].Last {
		return ""
	}
	token := t.Tokens[t.Nodes[n].First]
	return string(t.Source[token.Start:token.End])
}
