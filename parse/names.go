package parse

import "iter"

// A Link is one of the kinds of a node. A chain of nodes that each have a single child
// is one node, and its chain of links, from the top down, says what it is to the grammar:
//
//	f(x);    expression_statement: its child is
//	f(x)     call_expression: its children are in the fields function and arguments
//	f        expression > primary > identifier, as some grammars have it: one node
//
// A link without names is none: a node that a front end has made, as of a list.
type Link struct {
	Kind  int32 // its name, an index in [Tree.Names]
	Field int32 // the name of its place in what is above it: the link before, or the parent
	Below int32 // the next link, an index in [Tree.Links]; 0 is none
}

// Chains makes [Tree.Links], each chain once.
type Chains struct {
	Links []Link
	ids   map[Link]int32
}

// NewChains returns the table that has only the empty chain, 0.
func NewChains() *Chains { return &Chains{Links: make([]Link, 1), ids: map[Link]int32{}} }

// Add returns the chain that begins with l; without names, that which is below.
func (c *Chains) Add(l Link) int32 {
	if l.Kind == 0 && l.Field == 0 {
		return l.Below
	}
	id, ok := c.ids[l]
	if !ok {
		id = int32(len(c.Links))
		c.Links = append(c.Links, l)
		c.ids[l] = id
	}
	return id
}

// Kind returns the name of what n is in the words of its grammar, as "call_expression":
// of the lowest of its kinds, which its children belong to. It is "" for a node that is
// none to the grammar.
func (t *Tree) Kind(n int32) (kind string) {
	for k := range t.Kinds(n) {
		kind = k
	}
	return kind
}

// Kinds returns the names of all kinds of n with their fields, from the top down. The
// first field is that of n in its parent.
func (t *Tree) Kinds(n int32) iter.Seq2[string, string] {
	return func(yield func(kind, field string) bool) {
		for i := t.Nodes[n].Chain; i != 0; i = t.Links[i].Below {
			if !yield(t.Names[t.Links[i].Kind], t.Names[t.Links[i].Field]) {
				return
			}
		}
	}
}

// Is reports whether one of the kinds of n has the name.
func (t *Tree) Is(n int32, kind string) bool {
	for i := t.Nodes[n].Chain; i != 0; i = t.Links[i].Below {
		if t.Names[t.Links[i].Kind] == kind {
			return true
		}
	}
	return false
}

// Field returns the name of n's place in its parent, as "condition", or "" if it has none.
func (t *Tree) Field(n int32) string {
	if chain := t.Nodes[n].Chain; chain != 0 {
		return t.Names[t.Links[chain].Field]
	}
	return ""
}

// Child returns the first of what [Tree.InField] returns, or -1.
func (t *Tree) Child(n int32, field string) int32 {
	for d := range t.InField(n, field) {
		return d
	}
	return -1
}

// InField returns the children of n in a field, in order. The children of a child that
// is none to the grammar count as children of n, down to a depth of [looksInto]. Where
// what is in the field is all of n, it is n itself: of `int` in f(int), a declaration and
// its type are one node.
func (t *Tree) InField(n int32, field string) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if field == "" {
			return
		}
		first := true
		for _, f := range t.Kinds(n) {
			if !first && f == field && !yield(n) {
				return
			}
			first = false
		}
		t.inField(n, field, 0, yield)
	}
}

// looksInto is how many nodes inside each other that are none to the grammar InField
// looks into. Error recovery may nest as many of them as a file has brackets, and
// callers ask about each.
const looksInto = 16

// inField yields the children of n in a field. It returns false if yield did.
func (t *Tree) inField(n int32, field string, depth int, yield func(int32) bool) bool {
	for d := n + 1; d < t.Nodes[n].Next; d = t.Nodes[d].Next {
		switch {
		case t.Nodes[d].Chain == 0:
			if depth < looksInto && !t.inField(d, field, depth+1, yield) {
				return false
			}
		case t.Field(d) == field && !yield(d):
			return false
		}
	}
	return true
}
