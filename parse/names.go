package parse

import (
	"iter"
	"strings"
)

// A Link is one kind of a [Node]. A node may have several, from the top down:
//
//	f(x);    expression_statement, with one child
//	f(x)     call_expression, with children in the fields function and arguments
//	f        expression > primary > identifier in some grammars: one node
//
// Nodes that do not occur in the grammar, such as lists, have no link.
type Link struct {
	Kind  int32 // an index in [Tree.Names]
	Field int32 // its field in the link above, or in the parent
	Below int32 // the next link, an index in [Tree.Links]; 0 means none
}

// Chains builds [Tree.Links] without duplicates.
type Chains struct {
	Links []Link
	ids   map[Link]int32
}

func NewChains() *Chains { return &Chains{Links: make([]Link, 1), ids: map[Link]int32{}} }

// Add returns the chain that begins with l. If l has no names, that is l.Below.
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

// Kind returns the lowest kind of n, such as "call_expression", to which the children belong. It is "" if
// n does not occur in the grammar.
func (t *Tree) Kind(n int32) (kind string) {
	for k := range t.Kinds(n) {
		kind = k
	}
	return kind
}

// Kinds returns the kinds of n with their fields, from the top down.
func (t *Tree) Kinds(n int32) iter.Seq2[string, string] {
	return func(yield func(kind, field string) bool) {
		for i := t.Nodes[n].Chain; i != 0; i = t.Links[i].Below {
			if !yield(t.Names[t.Links[i].Kind], t.Names[t.Links[i].Field]) {
				return
			}
		}
	}
}

// Is reports whether n has the kind.
func (t *Tree) Is(n int32, kind string) bool {
	for i := t.Nodes[n].Chain; i != 0; i = t.Links[i].Below {
		if t.Names[t.Links[i].Kind] == kind {
			return true
		}
	}
	return false
}

// Field returns the field of n in its parent, such as "condition", or "".
func (t *Tree) Field(n int32) string {
	if chain := t.Nodes[n].Chain; chain != 0 {
		return t.Names[t.Links[chain].Field]
	}
	return ""
}

// Needed reports whether n, or the first member of the list n, is a part that does not go alone: needed=part, or
// neededList=list, since ANTLR wants another label for each rule.
func (t *Tree) Needed(n int32) bool {
	return strings.HasPrefix(t.Field(n), "needed") || t.Nodes[n].Chain == 0 && !t.IsLeaf(n) && t.Needed(n+1)
}

// Child returns the first node of [Tree.InField], or -1.
func (t *Tree) Child(n int32, field string) int32 {
	for d := range t.InField(n, field) {
		return d
	}
	return -1
}

// InField returns the children of n in a field, in order, looking through children that do not occur in the grammar.
// If the field contains all of n, it returns n: in f(int), a declaration and its type are one node.
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

// InGrammar returns the children of n. Inner nodes that do not occur in the grammar are replaced by their children.
func (t *Tree) InGrammar(n int32) (children []int32) {
	for d := n + 1; d < t.Nodes[n].Next; {
		if t.Nodes[d].Chain == 0 && !t.IsLeaf(d) {
			d++
			continue
		}
		children = append(children, d)
		d = t.Nodes[d].Next
	}
	return children
}

// looksInto limits the nested nodes that InField looks through. Error recovery may nest one for each bracket of a file.
const looksInto = 16

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
