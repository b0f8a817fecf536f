package parse

import (
	"iter"
	"slices"
)

// A Candidate is a tree with some tokens live, and some of these changed. It is immutable. An edit takes time
// proportional to the number of tokens / 64.
type Candidate struct {
	tree    *Tree
	live    live
	sums    []int // prefix sums of live, set by counted
	weight  int
	changes []change
	text    []byte // cache of Render
	derived int    // the weight that Derive adds to text
}

// Whole returns the candidate with all tokens live.
func Whole(t *Tree) *Candidate {
	c := &Candidate{tree: t, live: allLive(len(t.Tokens)), text: t.Source}
	return c.counted()
}

// Tree returns the tree of c.
func (c *Candidate) Tree() *Tree { return c.tree }

// Weight returns the weight of all live tokens.
func (c *Candidate) Weight() int { return c.weight }

// WeightOf returns the weight of the live tokens of n.
func (c *Candidate) WeightOf(n int32) int {
	return c.weigh(int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last))
}

// Live reports whether n has a live token.
func (c *Candidate) Live(n int32) bool {
	node := &c.tree.Nodes[n]
	from, to := int(node.First), int(node.Last)
	if to == from+1 {
		return c.live.has(from)
	}
	if c.sums != nil && to-from > wide {
		return c.weigh(from, to) > 0
	}
	return c.live.next(from, to) < to
}

// wide is the number of tokens from which prefix sums are faster.
const wide = 256

func (c *Candidate) weigh(from, to int) int {
	if c.sums != nil && to-from > wide {
		a, b := from/64, to/64
		return c.sums[b] - c.sums[a] + c.live.weigh(b*64, to, c.tree.Weights) -
			c.live.weigh(a*64, from, c.tree.Weights) + c.more(from, to)
	}
	return c.live.weigh(from, to, c.tree.Weights) + c.more(from, to)
}

// Children returns the live children of n in order.
func (c *Candidate) Children(n int32) []int32 {
	return c.collect(n, func(int32) bool { return true })
}

// Items returns the live children of n that may be dropped.
func (c *Candidate) Items(n int32) []int32 {
	return c.collect(n, func(d int32) bool { return c.tree.Nodes[d].Slot.Droppable() })
}

// collect counts first to allocate once, since a file may have millions of lines.
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

// Coherent reports whether all [Tree.Needs] of unchanged tokens are met, and live files and directories have their
// heads.
func (c *Candidate) Coherent() bool {
	for _, p := range c.tree.Parts {
		if !c.live.has(int(c.tree.Nodes[p.Node].First)) && c.Live(p.Node) {
			return false
		}
	}
	for _, need := range c.tree.Needs {
		if c.Untouched(need.Token, need.Token+1) &&
			!slices.ContainsFunc(need.Any, func(i int32) bool { return c.live.has(int(i)) }) {
			return false
		}
	}
	return true
}

func (c *Candidate) edit() *Candidate {
	return &Candidate{tree: c.tree, live: slices.Clone(c.live), changes: c.changes}
}

func (c *Candidate) counted() *Candidate {
	c.sums = c.live.sums(c.tree.Weights)
	c.weight = c.sums[len(c.live)] + c.more(0, len(c.tree.Tokens))
	return c
}

func (c *Candidate) clear(n int32) {
	c.live.clear(int(c.tree.Nodes[n].First), int(c.tree.Nodes[n].Last))
}
