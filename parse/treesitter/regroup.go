package treesitter

import (
	"slices"

	"whittle/parse"
)

// The kinds of the nodes that regroup adds. They have no name.
const (
	bracketed = 0xfffe
	joined    = 0xfffd
)

// regroup adds nodes around siblings that belong together.
//
// First, if a parser fails inside of
//
//	namespace a { x y z }
//
// it may leave `namespace a {`, x, y, z and `}` as siblings. Among the children of a node with ERROR
// children, those from an open bracket to its closing one become a node.
//
// Second, it joins siblings that can only be dropped together. The grammar of C makes a struct and a
// semicolon of
//
//	struct s { int x; };
//
// If a type is missing, as in f() { }, the parser takes the head for a call without its semicolon and
// the body for a block. So a node with an inserted semicolon joins the next one. Masked text joins the
// node after it, or its struct and the semicolon.
func (b *builder) regroup(wrong bool) {
	groups := map[int32]group{} // by first child
	var brackets *brackets
	if wrong {
		brackets = b.newBrackets(groups)
	}
	for n := range b.tree.Nodes {
		b.joinSiblings(int32(n), groups)
		if wrong {
			brackets.match(int32(n))
		}
	}
	if len(groups) == 0 {
		return
	}
	nodes, marks := b.tree.Nodes, b.marks
	b.tree.Nodes = make([]parse.Node, 0, len(nodes)+len(groups))
	b.marks = make([]mark, 0, len(nodes)+len(groups))
	b.copyGrouped(nodes, marks, 0, -1, groups)
}

// A group is a run of siblings that becomes a node.
type group struct {
	last int32
	kind uint16
}

func (b *builder) joinSiblings(n int32, groups map[int32]group) {
	nodes := b.tree.Nodes
	if n > 0 && (b.tree.IsLeaf(n) || !b.tree.IsLeaf(n+1) || b.bracket(nodes[n+1].First) != '{') {
		return
	}
	for c := n + 1; c < nodes[n].Next; {
		if b.skipMasked(c, nodes[n].Next) == nodes[n].Next {
			return
		}
		last := b.unit(c, nodes[n].Next)
		if last > c {
			groups[c] = group{last, joined}
		}
		c = nodes[last].Next
	}
}

// unit returns the last of the siblings that can only be dropped together with c, or c. Not all siblings up to end are
// masked.
func (b *builder) unit(c, end int32) int32 {
	nodes := b.tree.Nodes
	item := b.skipMasked(c, end)
	if b.isBracket(item) {
		return c
	}
	next := nodes[item].Next
	if next < end && b.missing[nodes[next].First] && !b.tree.IsLeaf(item) && !b.isBracket(next) {
		return next
	}
	next = b.skipMasked(next, end)
	if next < end && b.isSemicolon(next) {
		first := nodes[item].First
		if !b.skips(first, nodes[next].First) && b.skips(first, nodes[next].Last) {
			return next
		}
	}
	return item
}

func (b *builder) skipMasked(c, end int32) int32 {
	for c < end && b.isMasked(c) {
		c = b.tree.Nodes[c].Next
	}
	return c
}

func (b *builder) isMasked(n int32) bool {
	return b.tree.Nodes[n].Comment && b.leaves[b.tree.Nodes[n].First].masked
}

func (b *builder) isSemicolon(n int32) bool {
	t := b.tree.Tokens[b.tree.Nodes[n].First]
	return b.tree.IsLeaf(n) && string(b.tree.Source[t.Start:t.End]) == ";"
}

// brackets matches brackets. steps bounds the work, since error recovery may nest as many wrong nodes as there are
// tokens.
type brackets struct {
	*builder
	tokens []int32 // bracket tokens
	steps  int     // remaining
	groups map[int32]group
}

// Files with errors take less than 1 step per token.
const stepsPerToken, stepsAtLeast = 16, 1 << 20

func (b *builder) newBrackets(groups map[int32]group) *brackets {
	m := &brackets{builder: b, steps: stepsAtLeast + stepsPerToken*len(b.tree.Tokens), groups: groups}
	for i := range b.tree.Tokens {
		if b.bracket(int32(i)) != 0 {
			m.tokens = append(m.tokens, int32(i))
		}
	}
	return m
}

func (m *brackets) match(n int32) {
	nodes := m.tree.Nodes
	if m.tree.IsLeaf(n) || !m.isWrong(n) {
		return
	}
	at, _ := slices.BinarySearch(m.tokens, nodes[n].First)
	type open struct {
		close byte
		child int32
	}
	var stack []open
	waiting := map[byte]int{} // unmatched brackets on the stack, by closing bracket
	for c := n + 1; c < nodes[n].Next; c = nodes[c].Next {
		for ; at < len(m.tokens) && m.tokens[at] < nodes[c].Last && m.steps > 0; at++ {
			m.steps--
			bracket := m.bracket(m.tokens[at])
			if closing, ok := pairs[bracket]; ok {
				stack = append(stack, open{closing, c})
				waiting[closing]++
				continue
			}
			for found := waiting[bracket] == 0; !found; {
				last := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				waiting[last.close]--
				found = last.close == bracket
				if found && last.child != c && m.groups[last.child].last < c {
					m.groups[last.child] = group{c, bracketed}
				}
			}
		}
	}
}

func (m *brackets) isWrong(n int32) bool {
	for c := n + 1; c < m.tree.Nodes[n].Next; c = m.tree.Nodes[c].Next {
		if m.marks[c].kind == unknown {
			return true
		}
	}
	return false
}

var pairs = map[byte]byte{'(': ')', '[': ']', '{': '}'}

func (b *builder) bracket(i int32) byte {
	t := b.tree.Tokens[i]
	if t.End-t.Start != 1 || b.leaves[i].named {
		return 0
	}
	switch c := b.tree.Source[t.Start]; c {
	case '(', ')', '[', ']', '{', '}':
		return c
	}
	return 0
}

func (b *builder) copyGrouped(old []parse.Node, marks []mark, n, parent int32, groups map[int32]group) {
	self := int32(len(b.tree.Nodes))
	node := old[n]
	node.Parent = parent
	b.add(node, marks[n])
	type opened struct{ node, last int32 }
	var open []opened
	above := self
	for c := n + 1; c < old[n].Next; c = old[c].Next {
		if g, ok := groups[c]; ok && (len(open) == 0 || g.last <= open[len(open)-1].last) {
			b.add(parse.Node{First: old[c].First, Last: old[g.last].Last, Parent: above}, mark{g.kind, g.kind, marks[c].state})
			above = int32(len(b.tree.Nodes) - 1)
			open = append(open, opened{above, g.last})
		}
		b.copyGrouped(old, marks, c, above, groups)
		for len(open) > 0 && open[len(open)-1].last == c {
			g := &b.tree.Nodes[open[len(open)-1].node]
			g.Next = int32(len(b.tree.Nodes))
			above = g.Parent
			open = open[:len(open)-1]
		}
	}
	b.tree.Nodes[self].Next = int32(len(b.tree.Nodes))
}
