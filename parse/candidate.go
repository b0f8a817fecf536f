package parse

import (
	"bytes"
	"iter"
	"slices"
	"sort"
)

// Candidate is a tree of which some tokens are live. It never changes: each
// edit makes a new one, in time proportional to the tree's tokens over 64.
type Candidate struct {
	tree   *Tree
	live   live
	sums   []int // of live, once the edit has ended
	weight int
	moved  []moved // sorted by token
	text   []byte  // what Render gave
}

// moved is what an edit changed about a token other than its being live.
type moved struct {
	token int    // that behind the last for the end of a file
	gap   []byte // stands before it
	text  []byte // instead of its own, if not nil
}

// Whole is the candidate in which every token is live.
func Whole(t *Tree) *Candidate {
	c := &Candidate{tree: t, live: allLive(len(t.Tokens))}
	return c.counted()
}

// Tree gives the tree that c is a part of.
func (c *Candidate) Tree() *Tree { return c.tree }

// Weight gives the weight of the live tokens of c.
func (c *Candidate) Weight() int { return c.weight }

// WeightOf gives the weight of the live tokens of node n.
func (c *Candidate) WeightOf(n int32) int {
	return c.weigh(int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last))
}

// Live tells whether node n has a live token.
func (c *Candidate) Live(n int32) bool {
	from, to := int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last)
	switch {
	case to == from+1:
		return c.live.has(from)
	case c.sums != nil && to-from > wide:
		return c.weigh(from, to) > 0
	}
	return c.live.next(from, to) < to
}

// wide is the number of tokens from which on sums are faster than a look at all:
// in a deep nest each node has nearly all of them.
const wide = 256

func (c *Candidate) weigh(from, to int) int {
	if c.sums != nil && to-from > wide {
		a, b := from/64, to/64
		return c.sums[b] - c.sums[a] + c.live.weigh(b*64, to, c.tree.Weights) - c.live.weigh(a*64, from, c.tree.Weights)
	}
	return c.live.weigh(from, to, c.tree.Weights)
}

// Children gives the live children of n in order.
func (c *Candidate) Children(n int32) []int32 {
	return c.collect(n, func(int32) bool { return true })
}

// Items gives the live children of n that may be dropped.
func (c *Candidate) Items(n int32) []int32 {
	return c.collect(n, func(d int32) bool { return c.tree.Nodes[d].Slot.Droppable() })
}

// collect gives the live children of n that are wanted. A file may have millions
// of lines, so they are counted first, not to be copied as they become more.
func (c *Candidate) collect(n int32, wanted func(int32) bool) []int32 {
	count := 0
	for d := range c.children(n) {
		if wanted(d) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	found := make([]int32, 0, count)
	for d := range c.children(n) {
		if wanted(d) {
			found = append(found, d)
		}
	}
	return found
}

// children goes over the live children of n in order.
func (c *Candidate) children(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		nodes := c.tree.Nodes
		for d, end := n+1, nodes[n].Next; d < end; d = nodes[d].Next {
			if c.Live(d) && !yield(d) {
				return
			}
		}
	}
}

// Coherent tells whether every live token has what it needs, and every live file
// and directory its head.
func (c *Candidate) Coherent() bool {
	for _, p := range c.tree.Parts {
		if !c.live.has(int(c.tree.Nodes[p.Node].First)) && c.Live(p.Node) {
			return false
		}
	}
	for _, need := range c.tree.Needs {
		if c.live.has(int(need.Token)) && !slices.ContainsFunc(need.Any, func(i int32) bool { return c.live.has(int(i)) }) {
			return false
		}
	}
	return true
}

// edit gives a copy of c to be changed, and counted when done.
func (c *Candidate) edit() *Candidate {
	return &Candidate{tree: c.tree, live: slices.Clone(c.live), moved: c.moved}
}

// counted ends an edit.
func (c *Candidate) counted() *Candidate {
	c.sums = c.live.sums(c.tree.Weights)
	c.weight = c.sums[len(c.live)]
	return c
}

func (c *Candidate) clear(n int32) {
	c.live.clear(int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last))
}

// Drop gives c without the given nodes. A separator goes with the list member
// behind it, or with the one before it where no earlier member stays.
func (c *Candidate) Drop(nodes ...int32) *Candidate {
	out := c.edit()
	for _, n := range nodes {
		out.clear(n)
	}
	out.separate(c, nodes)
	return out.counted()
}

// separate drops the separators that are not needed any more beside the nodes,
// of which siblings stand together. before tells what was live.
func (c *Candidate) separate(before *Candidate, nodes []int32) {
	parent := int32(-1)
	for _, n := range nodes {
		if p := c.tree.Nodes[n].Parent; p >= 0 && p != parent {
			parent = p
			c.dropSeparators(before, p)
		}
	}
}

// dropSeparators removes the separators among the children of parent that have
// nothing left to separate: of those around a member that has gone the first,
// unless the other has gone with it. before tells which children there were.
func (c *Candidate) dropSeparators(before *Candidate, parent int32) {
	kept := false        // a member of this run is live
	pending := int32(-1) // a separator waits for the member behind it
	gone := false        // that member has gone
	inRun := false       // the last child was a member or separator of a run
	changed := false     // a member of this run has gone
	end := func() {
		if pending >= 0 && (gone || !kept && changed) {
			c.clear(pending) // a trailing separator of nothing
		}
		kept, pending, gone, inRun, changed = false, -1, false, false, false
	}
	for d := range before.children(parent) {
		switch slot := c.tree.Nodes[d].Slot; {
		case c.tree.Nodes[d].Comment:
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

// Keep gives c with only those of the items of one parent whose indexes are
// kept; kept ascends.
func (c *Candidate) Keep(items []int32, kept []int) *Candidate {
	return c.Drop(Others(items, kept)...)
}

// Others gives the items whose indexes are not in kept, which ascends.
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

// Hoist gives c with node n replaced by a descendant, or by a run of siblings
// below it, which moves to where n began: it takes n's gap and, where that means
// something, n's indentation.
func (c *Candidate) Hoist(n int32, run ...int32) *Candidate {
	t := c.tree
	out := c.edit()
	from, last := int(t.Nodes[run[0]].First), int(t.Nodes[run[len(run)-1]].Last)
	out.live.clear(int(t.Nodes[n].First), from)
	out.live.clear(last, int(t.Nodes[n].Last))
	first := c.live.next(int(t.Nodes[n].First), int(t.Nodes[n].Last))
	start := out.live.next(from, last)
	if first == start || start == last {
		return out.counted()
	}
	changes := []moved{{token: start, gap: c.gapOf(first), text: c.moveOf(start).text}}
	old, new := c.indentAt(start), c.indentAt(first)
	if t.indented(start) && !bytes.Equal(old, new) {
		for i := out.live.next(start+1, last); i < last; i = out.live.next(i+1, last) {
			gap := c.gapOf(i)
			line := bytes.LastIndexByte(gap, '\n') + 1
			if line > 0 && bytes.HasPrefix(gap[line:], old) {
				changes = append(changes, moved{i, slices.Concat(gap[:line], new, gap[line+len(old):]), c.moveOf(i).text})
			}
		}
	}
	out.moved = mergeMoved(c.moved, changes)
	return out.counted()
}

// Substitute gives c with the text of the leaf n replaced.
func (c *Candidate) Substitute(n int32, text []byte) *Candidate {
	out := c.edit()
	token := int(c.tree.Nodes[n].First)
	out.moved = mergeMoved(c.moved, []moved{{token, c.gapOf(token), text}})
	return out.counted()
}

// Least gives c with the shortest token that the grammar knows in the place of
// n, or nil if that is not less than n is, in tokens or in bytes.
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
	out := c.edit()
	out.live.clear(first+1, int(node.Last))
	out.moved = mergeMoved(c.moved, []moved{{first, c.gapOf(first), text}})
	return out.counted()
}

// TextOf gives the bytes of a leaf.
func (c *Candidate) TextOf(n int32) []byte { return c.tokenText(int(c.tree.Nodes[n].First)) }

func (c *Candidate) tokenText(i int) []byte {
	if m := c.moveOf(i); m.text != nil {
		return m.text
	}
	return c.tree.Source[c.tree.Tokens[i].Start:c.tree.Tokens[i].End]
}

// moveOf gives what was changed about token i.
func (c *Candidate) moveOf(i int) moved {
	k := c.movedFrom(i)
	if k < len(c.moved) && c.moved[k].token == i {
		return c.moved[k]
	}
	return moved{token: i}
}

// movedFrom gives the index of the first moved token from i on.
func (c *Candidate) movedFrom(i int) int {
	return sort.Search(len(c.moved), func(k int) bool { return c.moved[k].token >= i })
}

// gapOf gives the text that stands before token i as far as i itself decides.
func (c *Candidate) gapOf(i int) []byte {
	if m := c.moveOf(i); m.gap != nil {
		return m.gap
	}
	return c.tree.gap(i)
}

// indentAt gives the indentation of the line in which token i stands.
func (c *Candidate) indentAt(i int) []byte {
	for from := c.tree.fileStart(i); i >= from; i-- {
		if !c.live.has(i) {
			continue
		}
		gap := c.gapOf(i)
		if line := bytes.LastIndexByte(gap, '\n'); line >= 0 {
			return gap[line+1:]
		}
	}
	return nil
}

// mergeMoved lays the changes, sorted by token, over those made before.
func mergeMoved(old, changes []moved) []moved {
	out := make([]moved, 0, len(old)+len(changes))
	for len(old) > 0 && len(changes) > 0 {
		switch {
		case old[0].token < changes[0].token:
			out, old = append(out, old[0]), old[1:]
		case old[0].token == changes[0].token:
			old = old[1:]
		default:
			out, changes = append(out, changes[0]), changes[1:]
		}
	}
	return append(append(out, old...), changes...)
}

// Prune gives c with the nodes gone as far as the grammar lets them: dropped, or
// where something must stand in their place, as little of it as possible. The
// nodes are disjoint, and siblings stand together.
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

// minimal gives c with as little of n as is sure to fit: n itself with only what
// it requires, or a lighter descendant of it.
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

// skeleton gives c with only what n requires: no optional parts, and one member
// of a list that needs one. It gives nil if that is clearly more than weight.
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

// Take gives c with the given nodes, in order and disjoint, as they are in
// from, and the separators that this leaves without need dropped.
func (c *Candidate) Take(from *Candidate, nodes []int32) *Candidate {
	out := c.edit()
	var changes []moved
	for _, n := range nodes {
		first, last := int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last)
		out.live.take(from.live, first, last)
		for k := from.movedFrom(first); k < len(from.moved) && from.moved[k].token < last; k++ {
			changes = append(changes, from.moved[k])
		}
	}
	out.moved = mergeMoved(c.moved, changes)
	out.separate(c, nodes)
	return out.counted()
}
