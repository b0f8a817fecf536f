package ssa

import (
	"slices"
	"strings"
)

func (g *graph) part(a action, nodes ...int32) part {
	p := part{action: a, nodes: nodes}
	for _, n := range nodes {
		p.weight += g.size(n)
	}
	return p
}

// asides returns the kinds of asides with all their nodes. Those that are a name go with its definition.
func (g *graph) asides() (parts []part) {
	mentioned := map[int32]bool{}
	for _, it := range g.items {
		for _, m := range it.mentions {
			mentioned[m.leaf] = true
		}
	}
	var keys []string
	kinds := map[string][]int32{}
	for _, n := range g.outermost(0, func(n int32) bool { return g.isOptional(n) && !mentioned[n] && !g.is(n, isKept) }) {
		node := g.Nodes[n]
		first := node.First
		if node.Chain == 0 {
			first++ // behind a comma
		}
		key := g.Kind(n) + " " + strings.TrimRight(g.textIn(first, first+1), "0123456789")
		if kinds[key] == nil {
			keys = append(keys, key)
		}
		kinds[key] = append(kinds[key], n)
	}
	for _, key := range keys {
		parts = append(parts, g.part(remove, kinds[key]...))
	}
	return parts
}

// bodies returns the functions, unless there is only one.
func (g *graph) bodies() (parts []part) {
	for _, f := range slices.Backward(g.regions) {
		if n := g.items[f.item].node; f.outer < 0 && f.blocks != nil && g.Nodes[f.node].Next == g.Nodes[n].Next {
			parts = append(parts, g.part(stub, n))
		}
	}
	if len(parts) == 1 {
		return nil
	}
	return parts
}

func (g *graph) cells() []part {
	return g.inBlocks(remove, func(_ *region, b int32) bool { return b > 0 })
}

// jumps returns the blocks that can be joined with the block before.
func (g *graph) jumps() []part { return g.inBlocks(join, g.joinable) }

func (g *graph) inBlocks(a action, wanted func(f *region, b int32) bool) (parts []part) {
	for i := range slices.Backward(g.regions) {
		f := &g.regions[i]
		for b := range slices.Backward(f.blocks) {
			if wanted(f, int32(b)) {
				p := g.part(a, f.blocks[b].node)
				if a == join {
					p.weight = len(g.facts.words("jump")) + 2 // and two labels
				}
				parts = append(parts, p)
			}
		}
	}
	return parts
}

func (g *graph) instructions() []part {
	return g.of(func(it *item) bool {
		return it.block >= 0 && !g.isLast(it) && !g.isPad(it) && (!g.isConstant(it) || g.names[it.defines[0]].uses == nil)
	})
}

// settled returns the values of several tokens, such as initialisers.
func (g *graph) settled() (parts []part) {
	if g.typed {
		return nil
	}
	values := g.outermost(0, func(n int32) bool {
		return g.is(n, isCallee) || g.is(n, isValue) && g.size(n) > 1 && g.typeBefore(n, -1) >= 0
	})
	for _, n := range slices.Backward(values) {
		if !g.is(n, isCallee) {
			p := g.part(constant, n)
			p.weight--
			parts = append(parts, p)
		}
	}
	return parts
}

func (g *graph) entities() []part {
	return g.of(func(it *item) bool {
		return it.role&isEntity != 0 && (it.role&isFunction == 0 || len(g.regions) > 1)
	})
}

// of returns parts for items, from the end of the file.
func (g *graph) of(wanted func(it *item) bool) (parts []part) {
	for i := range slices.Backward(g.items) {
		if it := &g.items[i]; wanted(it) {
			parts = append(parts, g.part(remove, it.node))
		}
	}
	return parts
}

// parameters returns the parameters of functions that are only called, and of blocks, each with its arguments.
func (g *graph) parameters() (parts []part) {
	for i := range slices.Backward(g.regions) {
		f := &g.regions[i]
		for _, b := range slices.Backward(f.blocks) {
			if b.from != nil {
				parts = append(parts, g.withArguments(b.parameters, b.name)...)
			}
		}
		if f.outer >= 0 || f.node != g.items[f.item].node && f.blocks != nil && f.blocks[0].parameters != nil {
			continue
		}
		parts = append(parts, g.withArguments(g.parametersOf(f.item), g.items[f.item].name())...)
	}
	return parts
}

// withArguments returns nil for parameters of a name that is not only called.
func (g *graph) withArguments(parameters []int32, name int32) (parts []part) {
	if name < 0 {
		return nil
	}
	for _, p := range parameters {
		parts = append(parts, g.part(remove, g.items[p].node))
	}
	for _, m := range g.names[name].uses {
		if !g.isCalled(m.leaf) {
			return nil
		}
		next := map[bool]int{} // for values and types
		for _, n := range g.outermost(g.Nodes[m.leaf].Parent, g.with(isArgument)) {
			ofType := g.is(n, isType)
			if p := next[ofType]; p < len(parts) {
				parts[p].nodes = append(parts[p].nodes, n)
			}
			next[ofType]++
		}
		if g.names[name].block >= 0 && next[false] < len(parts) {
			return nil // the arguments are elsewhere
		}
	}
	slices.Reverse(parts)
	return parts
}
