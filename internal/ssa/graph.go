package ssa

import (
	"regexp"
	"slices"

	"whittle/parse"
)

// A graph has the definitions and uses of the values of a tree.
type graph struct {
	*parse.Tree
	facts    Facts
	namesake []string // a fact
	typed    bool     // the definition of a value says its type
	roles    []role   // of chains of kinds
	items    []item   // in order; a function is followed by its parts
	regions  []region
	names    []name
	last     *regexp.Regexp     // a fact
	types    map[int32][]string // of items, when known
	prefix   string             // of new names: letters that are nowhere before a number
}

// An item is an entity, a parameter or an instruction.
type item struct {
	node     int32
	role     role
	region   int32 // in regions; the body of a function is its own; or -1
	block    int32 // of the region, or -1
	around   int32 // the item around, or -1
	inner    int32 // its first region, or -1
	defines  []int32
	mentions []mention
}

type mention struct{ leaf, name, item int32 }

type name struct {
	text   string
	leaf   int32 // of the definition
	item   int32 // the definition, or -1
	uses   []mention
	block  int32 // that it labels, or -1
	within int32 // the node where it is known, or -1
	region int32
}

// A region has blocks: the body of a function or of an instruction.
type region struct {
	item   int32 // around it
	node   int32
	outer  int32 // the region around it, or -1
	top    int32 // of the function
	blocks []cell
	local  map[string][]int32 // of the whole function
	// unknown are the numbers that are mentioned and not defined.
	unknown map[string]bool
}

// A cell is a block.
type cell struct {
	node       int32 // -1 for a block without label
	name       int32 // -1: no label
	parameters []int32
	items      []int32
	to         []edge  // from the last item
	from       []int32 // the blocks with edges to it, once for each edge
	pad        bool
}

// An edge is a label in the last instruction of a block.
type edge struct {
	leaf, block int32
	node        int32 // the label with its arguments
	member      int32 // the optional part of the instruction with it, or -1
}

func (g *graph) is(n int32, r role) bool { return g.roles[g.Nodes[n].Chain]&r != 0 }

// text returns the text of a node; "" without one.
func (g *graph) text(n int32) string {
	if n < 0 {
		return ""
	}
	return g.textIn(g.Nodes[n].First, g.Nodes[n].Last)
}

func (g *graph) textIn(from, to int32) string {
	if from == to {
		return ""
	}
	return string(g.Source[g.Tokens[from].Start:g.Tokens[to-1].End])
}

// with returns a condition for [graph.outermost] and [graph.around].
func (g *graph) with(r role) func(n int32) bool { return func(n int32) bool { return g.is(n, r) } }

// outermost returns the nodes below n that are as wanted, without those below another.
func (g *graph) outermost(n int32, wanted func(n int32) bool) (all []int32) {
	end := g.Nodes[n].Next
	for n++; n < end; n++ {
		if wanted(n) {
			all = append(all, n)
			n = g.Nodes[n].Next - 1
		}
	}
	return all
}

func (g *graph) contains(outer, n int32) bool { return outer <= n && n < g.Nodes[outer].Next }

// inside returns an item and the items in it.
func (g *graph) inside(outer int32) (all []int32) {
	for at := outer; at < int32(len(g.items)) && g.contains(g.items[outer].node, g.items[at].node); at++ {
		all = append(all, at)
	}
	return all
}

// parametersOf returns the parameters of a function.
func (g *graph) parametersOf(function int32) (all []int32) {
	for at := function + 1; at < int32(len(g.items)) && g.items[at].role == isParameter; at++ {
		all = append(all, at)
	}
	return all
}

// name returns the first name of an item, or -1.
func (it *item) name() int32 {
	if len(it.defines) == 0 {
		return -1
	}
	return it.defines[0]
}

func (g *graph) isPad(it *item) bool { return slices.Contains(g.facts.words("pad"), g.firstWord(it)) }

// firstWord returns the first word of an item, behind its names.
func (g *graph) firstWord(it *item) string {
	first, last := g.Nodes[it.node].First, g.Nodes[it.node].Last
	if it.role&isInstruction != 0 && len(it.defines) > 0 {
		for first < last-1 && g.textIn(first, first+1) != "=" {
			first++
		}
		first++
	}
	return g.textIn(first, min(first+1, last)) // "" in an incomplete instruction
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

func (g *graph) isDroppable(n int32) bool { return g.Nodes[n].Slot.Droppable() }

func (g *graph) lastOf(b *cell) *item { return &g.items[b.items[len(b.items)-1]] }

// isLast reports whether an instruction ends its block.
func (g *graph) isLast(it *item) bool {
	return it.block >= 0 && g.lastOf(&g.regions[it.region].blocks[it.block]).node == it.node &&
		(g.last == nil || g.last.MatchString(g.firstWord(it)))
}

// incomingOf returns the incoming values of an instruction.
func (g *graph) incomingOf(it *item) []int32 {
	if g.facts.words("incoming") == nil {
		return nil
	}
	return g.outermost(it.node, g.with(isIncoming))
}

// ends returns the value and the label of an incoming value.
func (g *graph) ends(n int32) (first, last int32) {
	values := append(g.outermost(n, g.with(isValue)), 0)
	return values[0], values[max(len(values)-2, 0)]
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
