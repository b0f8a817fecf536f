package ssa

import "whittle/parse"

// results returns the functions that can become void: they are only called, with the type of the definition.
func (g *graph) results() (parts []part) {
	words := g.facts.words("return")
	for at := int32(len(g.items)) - 1; at >= 0 && words != nil; at-- {
		it := &g.items[at]
		if it.role&isEntity == 0 || it.defines == nil {
			continue
		}
		p := part{action: nothing, nodes: []int32{it.node}, weight: len(g.returnsOf(at))}
		of := g.text(g.typeBefore(g.names[it.name()].leaf, it.node))
		for _, m := range g.names[it.name()].uses {
			call := &g.items[m.item]
			p.weight += 2 * len(call.defines)
			if call.role != isInstruction || !g.isCalled(m.leaf) || g.text(g.typeBefore(m.leaf, call.node)) != of {
				of = ""
			}
		}
		if of != "" && of != words[0] && p.weight > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

// returnsOf returns the instructions that end a function.
func (g *graph) returnsOf(function int32) (all []int32) {
	for _, at := range g.inside(function) {
		if it := &g.items[at]; g.isLast(it) && g.firstWord(it) == g.facts.words("return")[1] {
			all = append(all, it.node)
		}
	}
	return all
}

func (g *graph) isCalled(leaf int32) bool {
	return g.is(leaf, isCallee) || g.is(g.Nodes[leaf].Parent, isCallee)
}

// forgetResults makes a function void, and its calls.
func (r *repair) forgetResults(at int32) {
	it, words := &r.items[at], r.facts.words("return")
	r.forgetResult(it, r.names[it.name()].leaf, words[0])
	for _, m := range r.names[it.name()].uses {
		call := &r.items[m.item]
		r.forgetResult(call, m.leaf, words[0])
		r.lose(call.defines...)
		for _, name := range call.defines {
			if n := r.around(r.names[name].leaf, call.node, r.isDroppable); n >= 0 {
				r.late = append(r.late, n)
			}
		}
	}
	for _, n := range r.returnsOf(at) {
		r.cut[n] = nothing
		r.put(n, tokens(words[1:]...)...)
	}
}

// forgetResult replaces the type before a name, and removes the asides before it.
func (r *repair) forgetResult(it *item, leaf int32, with string) {
	of := r.typeBefore(leaf, it.node)
	for n := r.Nodes[of].Parent + 1; n < of; n = r.Nodes[n].Next {
		if r.isOptional(n) {
			r.late = append(r.late, n)
		}
	}
	r.put(of, parse.Literal(" ", with))
}
