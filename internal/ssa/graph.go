package ssa

import (
	"slices"
	"strings"

	"whittle/parse"
)

// A graph has the definitions and uses of the values of a tree.
type graph struct {
	*parse.Tree
	facts     Facts
	namesake  []string // a fact
	roles     []role   // of chains of kinds
	items     []item   // in order; a function is followed by its parts
	functions []function
	names     []name
}

// An item is an entity, a parameter or an instruction.
type item struct {
	node     int32
	role     role
	function int32 // in functions, its own if it is one; or -1
	block    int32 // of the function, or -1
	defines  int32 // a name, or -1
	mentions []mention
}

type mention struct{ leaf, name int32 }

type name struct {
	text  string
	leaf  int32   // of the definition
	item  int32   // the definition, or -1
	uses  []int32 // items
	block int32   // that it labels, or -1
}

type function struct {
	item   int32
	blocks []cell
	local  map[string]int32
	// unknown are the numbers that are mentioned and not defined.
	unknown map[string]bool
}

// A cell is a block.
type cell struct {
	node  int32 // -1 for a block without label
	name  int32 // -1: no label
	items []int32
	to    []edge // from the last item
	into  int    // the number of edges to it
	pad   bool
}

// An edge is a label in the last instruction of a block.
type edge struct {
	leaf, block int32
	member      int32 // the optional part of the instruction with it, or -1
}

func (g *graph) is(n int32, r role) bool { return g.roles[g.Nodes[n].Chain]&r != 0 }

func (g *graph) text(n int32) string { return g.textIn(g.Nodes[n].First, g.Nodes[n].Last) }

func (g *graph) textIn(from, to int32) string {
	return string(g.Source[g.Tokens[from].Start:g.Tokens[to-1].End])
}

// read returns nil if there are no functions.
func read(t *parse.Tree, facts Facts) *graph {
	g := &graph{Tree: t, facts: facts, roles: facts.rolesOf(t), namesake: facts.words("namesake")}
	r := reader{graph: g, global: map[string]int32{}}
	for n := range int32(len(t.Nodes)) {
		r.visit(n)
	}
	for _, u := range r.waiting {
		r.resolve(u)
	}
	for i := range g.functions {
		g.link(&g.functions[i])
	}
	if len(g.functions) == 0 {
		return nil
	}
	return g
}

type reader struct {
	*graph
	global  map[string]int32
	open    []int32 // the items around
	waiting []mentioned
}

type mentioned struct{ leaf, item int32 }

func (r *reader) visit(n int32) {
	for len(r.open) > 0 && n >= r.Nodes[r.items[r.open[len(r.open)-1]].node].Next {
		r.open = r.open[:len(r.open)-1]
	}
	in := item{node: n, function: -1, block: -1, defines: -1}
	var f *function
	if len(r.open) > 0 {
		if in.function = r.items[r.open[len(r.open)-1]].function; in.function >= 0 {
			f = &r.functions[in.function]
		}
	}
	switch {
	case r.is(n, isFunction):
		in.function, in.role = int32(len(r.functions)), isFunction|isEntity
		r.functions = append(r.functions, function{item: int32(len(r.items)), local: map[string]int32{},
			unknown: map[string]bool{}})
	case r.is(n, isEntity) && len(r.open) == 0:
		in.role = isEntity
	case f == nil:
	case r.is(n, isParameter):
		in.role = isParameter
	case r.is(n, isBlock):
		f.blocks = append(f.blocks, cell{node: n, name: -1})
	case r.is(n, isInstruction):
		if f.blocks == nil {
			f.blocks = []cell{{node: -1, name: -1}}
		}
		in.role, in.block = isInstruction, int32(len(f.blocks)-1)
		b := &f.blocks[in.block]
		b.items = append(b.items, int32(len(r.items)))
	}
	if in.role != 0 {
		r.open = append(r.open, int32(len(r.items)))
		r.items = append(r.items, in)
	}
	if r.IsLeaf(n) && (r.Nodes[n].Named || r.isNamesake(n)) && !r.Nodes[n].Comment && len(r.open) > 0 {
		r.leaf(n)
	}
}

func (r *reader) leaf(n int32) {
	at := r.open[len(r.open)-1]
	if r.Field(n) != "defines" {
		r.waiting = append(r.waiting, mentioned{n, at})
		return
	}
	it, id := &r.items[at], int32(len(r.names))
	d, names := name{text: r.text(n), leaf: n, item: at, block: -1}, r.global
	if it.role&isEntity == 0 {
		names = r.functions[it.function].local
	}
	if r.is(r.Nodes[n].Parent, isBlock) && it.function >= 0 {
		f := &r.functions[it.function]
		names = f.local
		d.text, d.item, d.block = r.label(d.text), -1, int32(len(f.blocks)-1)
		f.blocks[d.block].name = id
	} else {
		it.defines = id
	}
	r.names = append(r.names, d)
	names[d.text] = id
}

// isNamesake reports whether a leaf mentions what has the name of the entity, but another sigil.
func (g *graph) isNamesake(leaf int32) bool {
	return g.namesake != nil && !g.Nodes[leaf].Named && g.text(leaf) == g.namesake[0]
}

// label returns the name of a label.
func (g *graph) label(text string) string {
	return strings.Join(g.facts.words("label"), "") + strings.TrimSuffix(text, ":")
}

func (r *reader) resolve(m mentioned) {
	it := &r.items[m.item]
	text := r.text(m.leaf)
	if r.isNamesake(m.leaf) && it.defines >= 0 {
		text = r.namesake[1] + r.names[it.defines].text[1:]
	}
	id, known := int32(0), false
	if it.function >= 0 && !r.is(m.leaf, isType) {
		id, known = r.functions[it.function].local[text]
	}
	if !known {
		if id, known = r.global[text]; !known {
			if number, _ := r.number(m.leaf); number != "" && it.function >= 0 {
				r.functions[it.function].unknown[text] = true
			}
			return
		}
	}
	if id == it.defines {
		return
	}
	it.mentions = append(it.mentions, mention{m.leaf, id})
	if uses := &r.names[id].uses; len(*uses) == 0 || (*uses)[len(*uses)-1] != m.item {
		*uses = append(*uses, m.item)
	}
}

// link finds the edges of a function.
func (g *graph) link(f *function) {
	for i := range f.blocks {
		b := &f.blocks[i]
		if len(b.items) == 0 {
			continue
		}
		for _, at := range b.items {
			b.pad = b.pad || g.isPad(g.items[at].node)
		}
		last := g.lastOf(b)
		for _, m := range last.mentions {
			if to := g.names[m.name].block; to >= 0 && f.local[g.names[m.name].text] == m.name {
				b.to = append(b.to, edge{m.leaf, to, g.around(m.leaf, last.node, g.isMember)})
				f.blocks[to].into++
			}
		}
	}
}

func (g *graph) isPad(n int32) bool { return slices.Contains(g.facts.words("pad"), g.firstWord(n)) }

// firstWord returns the first word of an instruction, behind its name.
func (g *graph) firstWord(n int32) string {
	first, last := g.Nodes[n].First, g.Nodes[n].Last
	if first+2 < last && g.textIn(first+1, first+2) == "=" {
		first += 2
	}
	return g.textIn(first, first+1)
}

// operandAround returns the innermost value around a leaf of an item that has a type, and the type; or -1.
func (g *graph) operandAround(leaf, item int32) (n, of int32) {
	for n = leaf; n != item; n = g.Nodes[n].Parent {
		if g.is(n, isCallee|isType) {
			return -1, -1
		}
		if g.is(n, isValue) {
			if of = g.typeOf(n, item); of >= 0 {
				return n, of
			}
		}
	}
	return -1, -1
}

// typeOf returns the last type before a value, else before the nodes around it, or -1.
func (g *graph) typeOf(n, item int32) int32 {
	for ; n != item; n = g.Nodes[n].Parent {
		found := int32(-1)
		for d := g.Nodes[n].Parent + 1; d < n; d = g.Nodes[d].Next {
			if g.is(d, isType) {
				found = d
			}
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

// around returns the innermost node around a leaf, below an item, that is as wanted; or -1.
func (g *graph) around(leaf, item int32, wanted func(n int32) bool) int32 {
	for n := leaf; n != item; n = g.Nodes[n].Parent {
		if wanted(n) {
			return n
		}
	}
	return -1
}

func (g *graph) isMember(n int32) bool { return g.Nodes[n].Slot.Droppable() }

func (g *graph) isIncoming(n int32) bool { return g.is(n, isIncoming) }

func (g *graph) lastOf(b *cell) *item { return &g.items[b.items[len(b.items)-1]] }

// isLast reports whether an instruction is the last one of its block.
func (g *graph) isLast(it *item) bool {
	return it.block >= 0 && g.lastOf(&g.functions[it.function].blocks[it.block]).node == it.node
}

// incomingOf returns the incoming values of an instruction.
func (g *graph) incomingOf(it *item) (all []int32) {
	for n := it.node + 1; n < g.Nodes[it.node].Next; n++ {
		if g.is(n, isIncoming) {
			all = append(all, n)
		}
	}
	return all
}

// ends returns the value and the label of an incoming value.
func (g *graph) ends(n int32) (first, last int32) {
	for d := n + 1; d < g.Nodes[n].Next; d = g.Nodes[d].Next {
		if g.is(d, isValue) {
			if first == 0 {
				first = d
			}
			last = d
		}
	}
	return first, last
}

// isOptional reports whether a node is an aside, perhaps with a comma before it.
func (g *graph) isOptional(n int32) bool {
	node := &g.Nodes[n]
	if s := node.Slot; s != parse.Optional && s != parse.Star {
		return false
	}
	if node.Chain != 0 {
		return g.is(n, isAside)
	}
	found := false
	for d := n + 1; d < node.Next; d = g.Nodes[d].Next {
		found = found || g.is(d, isAside)
		if !g.is(d, isAside) && !g.Nodes[d].Fixed {
			return false
		}
	}
	return found
}
