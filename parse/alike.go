package parse

import (
	"bytes"
	"slices"
)

// Alike reports whether two trees have the same nodes of the same kinds, and b has no more syntax
// errors than a. White space may differ, even in tokens. A leaf n of a may have another text or kind in
// b if other allows it.
func Alike(a, b *Tree, other func(n int32, sameKind bool) bool) bool {
	if b.Errors > a.Errors {
		return false
	}
	m := int32(0)
	depthA, depthB := depths{tree: a}, depths{tree: b}
	for n := range int32(len(a.Nodes)) {
		if a.IsLeaf(n) && blank(a.leaf(n)) {
			continue
		}
		m = b.skipBlank(m)
		if m == int32(len(b.Nodes)) || a.IsLeaf(n) != b.IsLeaf(m) || depthA.of(n) != depthB.of(m) {
			return false
		}
		same := sameKinds(a, n, b, m)
		if a.IsLeaf(n) && (!same || !bytes.Equal(a.leaf(n), b.leaf(m))) && !other(n, same) || !a.IsLeaf(n) && !same {
			return false
		}
		m++
	}
	return b.skipBlank(m) == int32(len(b.Nodes))
}

func (t *Tree) skipBlank(n int32) int32 {
	for n < int32(len(t.Nodes)) && t.IsLeaf(n) && blank(t.leaf(n)) {
		n++
	}
	return n
}

func (t *Tree) Spaces() (weight int) {
	for i := range t.Tokens {
		if blank(t.text(i)) {
			weight += t.weight(i)
		}
	}
	return weight
}

func (t *Tree) leaf(n int32) []byte {
	if t.Nodes[n].First == t.Nodes[n].Last {
		return nil
	}
	return t.text(int(t.Nodes[n].First))
}

func sameKinds(a *Tree, n int32, b *Tree, m int32) bool {
	i, j := a.Nodes[n].Chain, b.Nodes[m].Chain
	for ; i != 0 && j != 0; i, j = a.Links[i].Below, b.Links[j].Below {
		x, y := a.Links[i], b.Links[j]
		if a.Names[x.Kind] != b.Names[y.Kind] || a.Names[x.Field] != b.Names[y.Field] {
			return false
		}
	}
	return i == j
}

type depths struct {
	tree *Tree
	ends []int32 // of the ancestors
}

func (d *depths) of(n int32) int {
	for len(d.ends) > 0 && d.ends[len(d.ends)-1] <= n {
		d.ends = d.ends[:len(d.ends)-1]
	}
	depth := len(d.ends)
	if !d.tree.IsLeaf(n) {
		d.ends = append(d.ends, d.tree.Nodes[n].Next)
	}
	return depth
}

// Sift returns which of n items hold together: it tries all, then halves, with those taken before. It asks fewer
// questions about larger trees, since each needs a parse.
func (t *Tree) Sift(n int, holds func(some []int) bool) (taken []int) {
	questions := min(64, 1+(1<<20)/(len(t.Source)+1))
	var sift func(rest []int)
	sift = func(rest []int) {
		if len(rest) == 0 || questions <= 0 {
			return
		}
		questions--
		if all := slices.Concat(taken, rest); holds(all) {
			taken = all
			return
		}
		if len(rest) > 1 {
			sift(rest[:len(rest)/2])
			sift(rest[len(rest)/2:])
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	sift(all)
	return taken
}
