package ssa

import "slices"

// results returns the functions that are only called and can become void, each with the values of its calls.
func (g *graph) results() (parts []part) {
	if g.facts.words("return") == nil {
		return nil
	}
	for i := range slices.Backward(g.items) {
		it := &g.items[i]
		if it.role&isEntity == 0 || it.defines == nil || !g.returns(it) {
			continue
		}
		p := part{action: nothing, nodes: []int32{it.node}}
		for _, at := range g.names[it.defines[0]].uses {
			p.weight += 2 * len(g.items[at].defines)
		}
		for k := i + 1; k < len(g.items) && g.contains(it.node, g.items[k].node); k++ {
			if last := &g.items[k]; g.endsWith(last, g.facts.words("return")[1]) {
				p.weight++
			}
		}
		if p.weight > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

func (g *graph) endsWith(it *item, word string) bool { return g.isLast(it) && g.firstWord(it) == word }

// isReturn reports whether an instruction ends a function that becomes void.
func (r *repair) isReturn(it *item) bool {
	return it.block >= 0 && r.cut[r.items[r.regions[it.region].item].node] == nothing &&
		r.endsWith(it, r.facts.words("return")[1])
}

// returns reports whether all mentions of an entity are calls with the type of its definition, and it is not void.
func (g *graph) returns(it *item) bool {
	name := it.defines[0]
	of := g.typeBefore(g.names[name].leaf, it.node)
	if of < 0 || g.text(of) == g.facts.words("return")[0] {
		return false
	}
	for _, user := range g.names[name].uses {
		for _, m := range g.items[user].mentions {
			if m.name == name && (g.items[user].role != isInstruction || !g.isCalled(m.leaf) ||
				g.text(g.resultOf(&g.items[user], m.leaf)) != g.text(of)) {
				return false
			}
		}
	}
	return true
}

func (g *graph) isCalled(leaf int32) bool {
	return g.is(leaf, isCallee) || g.is(g.Nodes[leaf].Parent, isCallee)
}

// resultOf returns the type before the callee of a call, or the whole call without a type.
func (g *graph) resultOf(call *item, callee int32) int32 {
	if of := g.typeBefore(callee, call.node); of >= 0 {
		return of
	}
	return call.node
}

// forgetResults loses the values of the calls of a function that becomes void.
func (r *repair) forgetResults(it *item) {
	for _, user := range r.names[it.name()].uses {
		call := &r.items[user]
		r.lose(call.defines...)
		for _, name := range call.defines {
			leaf := r.names[name].leaf
			if n := r.around(leaf, call.node, func(n int32) bool { return r.Nodes[n].Slot.Droppable() }); n >= 0 {
				r.late = append(r.late, n)
			}
		}
	}
}

// emptyResults changes the types of a function and of its calls.
func (r *repair) emptyResults(it *item) {
	words, name := r.facts.words("return"), it.name()
	r.emptyResult(r.typeBefore(r.names[name].leaf, it.node), words[0])
	for _, user := range r.names[name].uses {
		for _, m := range r.items[user].mentions {
			if m.name == name {
				r.emptyResult(r.resultOf(&r.items[user], m.leaf), words[0])
			}
		}
	}
}

// emptyResult replaces a type, without the asides before it.
func (r *repair) emptyResult(of int32, with string) {
	for n := r.Nodes[of].Parent + 1; n < of; n = r.Nodes[n].Next {
		if r.isOptional(n) {
			r.late = append(r.late, n)
		}
	}
	r.put(of, literals([]string{with})...)
}
