package parse

import "slices"

// Least returns c with n replaced by [Tree.Least], or nil if that saves no tokens or costs bytes.
func (c *Candidate) Least(n int32) *Candidate {
	if c.tree.Least == nil || c.WeightOf(n) <= 1 {
		return nil
	}
	text := c.tree.Least(n)
	if text == nil {
		return nil
	}
	node := &c.tree.Nodes[n]
	first := c.live.next(int(node.First), int(node.Last))
	bytes := 0
	for i := first; i < int(node.Last) && bytes < len(text); i = c.live.next(i+1, int(node.Last)) {
		bytes += len(c.tokenText(i))
	}
	if bytes < len(text) {
		return nil
	}
	return c.Apply(Edit{node.First, node.Last, []Piece{{text: text}}})
}

// Prune drops nodes or replaces them by as little as possible. Nodes are disjoint, and siblings are adjacent in the
// list.
func (c *Candidate) Prune(nodes ...int32) *Candidate {
	var droppable []int32
	for _, n := range nodes {
		if c.tree.Nodes[n].Slot.Droppable() {
			droppable = append(droppable, n)
		}
	}
	out := c.Drop(droppable...)
	for _, n := range nodes {
		if !c.tree.Nodes[n].Slot.Droppable() {
			out = out.minimal(n)
		}
	}
	return out
}

func (c *Candidate) minimal(n int32) *Candidate {
	if c.tree.IsLeaf(n) {
		return c
	}
	if least := c.Least(n); least != nil {
		return least
	}
	best, weight := int32(-1), c.WeightOf(n)
	for d := n + 1; d < c.tree.Nodes[n].Next && weight > 1; d++ {
		if w := c.WeightOf(d); w > 0 && w < weight && c.tree.Replaceable(n, d) {
			best, weight = d, w
		}
	}
	if skeleton := c.skeleton(n, weight); skeleton != nil {
		return skeleton
	}
	if best < 0 {
		return c
	}
	return c.Hoist(n, best)
}

// skeleton keeps the required parts of n. It returns nil if they are clearly heavier than weight.
func (c *Candidate) skeleton(n int32, weight int) *Candidate {
	items := c.Items(n)
	for i, item := range items {
		if c.tree.Nodes[item].Slot == Plus {
			items = slices.Delete(items, i, i+1)
			break
		}
	}
	out := c.Drop(items...)
	if required := len(out.Children(n)); required == 0 || required > weight+1 {
		return nil
	}
	for child := range out.children(n) {
		if out.WeightOf(child) > 1 {
			out = out.minimal(child)
		}
	}
	if out.WeightOf(n) > weight+1 {
		return nil
	}
	return out
}
