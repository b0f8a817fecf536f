package parse

import "slices"

// Drop returns c without the given nodes. A separator is dropped with the list member after it, or
// with the member before it if no earlier member stays.
func (c *Candidate) Drop(nodes ...int32) *Candidate {
	out := c.without(nodes)
	out.separate(c, nodes)
	return out.counted()
}

// Clear returns c without the given nodes. Separators stay unless they are given.
func (c *Candidate) Clear(nodes ...int32) *Candidate { return c.without(nodes).counted() }

func (c *Candidate) without(nodes []int32) *Candidate {
	out := c.edit()
	for _, n := range nodes {
		out.clear(n)
	}
	return out
}

func (c *Candidate) separate(before *Candidate, nodes []int32) {
	for _, p := range c.tree.parents(nodes) {
		c.dropSeparators(before, p)
		c.dropLastSeparators(p)
	}
}

// dropLastSeparators drops the semicolons and commas in brackets without a member. A separator after the only member,
// as in { a: T; }, is not between members.
func (c *Candidate) dropLastSeparators(parent int32) {
	var separators []int32
	opened := false
	for d, end := parent+1, c.tree.Nodes[parent].Next; d < end; d++ {
		if !c.Live(d) || c.tree.Nodes[d].Comment {
			d = c.tree.Nodes[d].Next - 1
			continue
		}
		if !c.tree.IsLeaf(d) {
			continue
		}
		switch text := string(c.TextOf(d)); {
		case opened && (text == ";" || text == ","):
			separators = append(separators, d)
		case !opened && (text == "{" || text == "[" || text == "("):
			opened = true
		case d+1 == end && (text == "}" || text == "]" || text == ")"):
			for _, s := range separators {
				c.clear(s)
			}
		default:
			return
		}
	}
}

// parents returns the parents of nodes by last occurrence. Duplicates would make a Drop of many nodes quadratic.
func (t *Tree) parents(nodes []int32) (parents []int32) {
	seen := map[int32]bool{-1: true}
	last := int32(-1)
	for _, n := range slices.Backward(nodes) {
		if p := t.Nodes[n].Parent; p != last && !seen[p] {
			seen[p], last = true, p
			parents = append(parents, p)
		}
	}
	slices.Reverse(parents)
	return parents
}

// dropSeparators drops the first separator around a dropped member, unless the second was dropped too.
func (c *Candidate) dropSeparators(before *Candidate, parent int32) {
	kept := false        // a member of this run is live
	pending := int32(-1) // a separator before a member not yet seen
	gone := false        // that member was dropped
	inRun := false       // the last child was a member or separator of a run
	changed := false
	end := func() {
		if pending >= 0 && (gone || !kept && changed) {
			c.clear(pending) // trailing separator
		}
		kept, pending, gone, inRun, changed = false, -1, false, false, false
	}
	for d := range before.children(parent) {
		switch slot := c.tree.Nodes[d].Slot; {
		case c.tree.Nodes[d].Comment || c.tree.IsLead(d):
		case slot == Separator && inRun:
			if !gone || c.Live(d) {
				if gone {
					c.clear(pending)
				}
				pending = d
			}
			gone = false
		case slot == Separator:
		case !slot.Droppable():
			end()
		default:
			live := c.Live(d)
			if pending < 0 || gone { // a run begins
				end()
			} else if live && !kept {
				c.clear(pending)
			}
			gone = !live && pending >= 0
			if !gone {
				pending = -1
			}
			kept, changed, inRun = kept || live, changed || !live, true
		}
	}
	end()
}

// Others returns the items whose indexes are not in kept, which is in ascending order.
func Others[T any](items []T, kept []int) []T {
	others := make([]T, 0, len(items)-len(kept))
	for i, item := range items {
		if len(kept) > 0 && kept[0] == i {
			kept = kept[1:]
			continue
		}
		others = append(others, item)
	}
	return others
}

// Take returns c with nodes, in order and disjoint, copied from another candidate. Superfluous separators are
// dropped.
func (c *Candidate) Take(from *Candidate, nodes []int32) *Candidate {
	out := c.edit()
	var changes []change
	for _, n := range nodes {
		first, last := int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last)
		out.live.take(from.live, first, last)
		for k := from.changesFrom(first); k < len(from.changes) && from.changes[k].token < last; k++ {
			changes = append(changes, from.changes[k])
		}
	}
	out.changes = mergeChanges(c.changes, changes, later)
	out.separate(c, nodes)
	return out.counted()
}
