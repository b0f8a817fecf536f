package rewrite

import (
	"slices"
	"sort"

	"whittle/parse"
)

// fewest is the minimum depth of a deep nest of nodes of one kind.
const fewest = 10

// gone returns the heaviest node that the change removes completely, or 0. If the change removes only punctuation, gone
// returns the parent, since nodes of one kind have the same punctuation.
func (ch Change) gone(t *parse.Tree) (heaviest int32) {
	if len(ch.Drop) > 0 && !slices.ContainsFunc(ch.Drop, func(n int32) bool { return !t.IsFixed(n) }) {
		return t.Nodes[ch.Drop[0]].Parent
	}
	weight := int32(0)
	add := func(n int32) {
		if w := t.Nodes[n].Last - t.Nodes[n].First; w > weight {
			heaviest, weight = n, w
		}
	}
	for _, n := range ch.Drop {
		add(n)
	}
	for _, e := range ch.Edits {
		if e.From == e.To || e.Keeps(t) {
			continue
		}
		n := sort.Search(len(t.Nodes), func(n int) bool { return t.Nodes[n].First >= e.From })
		for t.Nodes[n].Last > e.To {
			n++
		}
		add(int32(n))
	}
	return heaviest
}

// deep reports whether n is the innermost node of a deep nest.
func deep(t *parse.Tree, n int32) bool {
	around := 0
	for m := n; m > 0 && around < fewest; m = t.Nodes[m].Parent {
		if t.Kind(m) == t.Kind(n) {
			around++
		}
	}
	return around == fewest
}

func inside(t *parse.Tree, m, n int32) bool {
	return n < m && m < t.Nodes[n].Next && t.Kind(m) == t.Kind(n)
}

// lost returns p after the removal of n failed. In a deep nest the innermost change is next, since it removes least.
func (p proposal) lost(t *parse.Tree, n int32) proposal {
	if deep(t, n) {
		p.failed = append(slices.Clip(p.failed), n)
	}
	for i, ch := range slices.Backward(p.changes) {
		if m := ch.gone(t); inside(t, m, n) && deep(t, m) {
			p.changes = slices.Concat(p.changes[i:i+1], p.changes[:i], p.changes[i+1:])
			break
		}
	}
	return p
}

// refuted reports whether the removal of a node of the same kind inside n has failed.
func (p proposal) refuted(t *parse.Tree, n int32) bool {
	return slices.ContainsFunc(p.failed, func(m int32) bool { return inside(t, m, n) })
}
