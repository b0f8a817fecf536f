package ssa

import (
	"slices"
	"strconv"
	"strings"

	"whittle/parse"
)

// put replaces a node if it is still there.
func (r *repair) put(n int32, with ...parse.Piece) {
	if r.base.Live(n) {
		r.edits = append(r.edits, r.Replace([]int32{n}, with...))
	}
}

func (r *repair) edit(at int32) {
	it := &r.items[at]
	var w *flow
	if it.region >= 0 && it.block >= 0 {
		w = r.flows[it.region]
	}
	switch {
	case r.cut[it.node] == remove && r.isLast(it) && r.regions[it.region].outer < 0 && (w == nil || w.live[it.block]) &&
		!r.dead[r.regions[it.region].item] && !r.isStub(it.region):
		r.base = r.base.Take(parse.Whole(r.Tree), []int32{it.node})
		r.edits = append(r.edits, r.Replace([]int32{it.node}, tokens(r.facts.words("stop")...)...))
	case r.dead[at], r.cut[it.node] == nothing && it.block >= 0: // or is another return
	case it.role&isFunction != 0 && r.isStub(it.region):
		r.empty(it)
		r.editMentions(it)
	case w != nil && r.isLast(it):
		r.redirect(at, w)
	case w == nil || !r.rebuild(it, w):
		r.editMentions(it)
	}
}

func (r *repair) editMentions(it *item) {
	for _, m := range it.mentions {
		if n, _ := r.operandAround(m, it.node); n >= 0 {
			if o, found := r.operands[n]; found && r.base.Live(n) {
				delete(r.operands, n) // once
				r.put(n, parse.Literal("", r.replacement(o)))
			}
		}
		if b := r.names[m.name].block; b >= 0 && it.block >= 0 && !r.isLast(it) {
			f, whole := &r.regions[it.region], b
			for r.cut[f.blocks[whole].node] == join { // it becomes a part of the one before
				whole--
			}
			if whole != b {
				r.put(m.leaf, parse.Literal("", r.labelOf(f, whole)))
			}
		}
	}
}

// redirect changes the edges of a last instruction. With fewer than two it becomes a jump, or ends the function.
func (r *repair) redirect(at int32, w *flow) {
	it := &r.items[at]
	left, few := w.left(it.block)
	if few {
		r.put(it.node, r.end(at, append(left, nowhere)[0])...)
		return
	}
	r.editMentions(it)
	for i, e := range w.blocks[it.block].to {
		switch t := w.to[it.block][i]; {
		case t == nowhere:
			r.late = append(r.late, e.member)
		case t != e.block:
			r.put(e.node, r.successor(at, t, "")...)
		}
	}
}

// labelOf returns the name of a block. The first may have the number after those of the parameters.
func (r *repair) labelOf(f *region, b int32) string {
	if name := f.blocks[b].name; name >= 0 {
		return r.names[name].text
	}
	number := 0
	for _, p := range r.parametersOf(f.item) {
		if r.items[p].defines == nil {
			number++
		}
	}
	return r.label(strconv.Itoa(number))
}

// end returns a jump, or the end of the function.
func (r *repair) end(at, to int32) []parse.Piece {
	if to != nowhere {
		return append(tokens(r.facts.words("jump")...), r.successor(at, to, " ")...)
	}
	for _, b := range r.regions[r.items[at].region].blocks {
		if len(b.to) == 0 && len(b.items) > 0 {
			last := b.items[len(b.items)-1]
			if n := r.items[last].node; r.size(n) > 1 {
				return tokens(r.copied(n, last, nil)...)
			}
		}
	}
	return tokens(r.facts.words("stop")...)
}

// successor returns the label of a block, with values of its parameters' types.
func (r *repair) successor(at, b int32, gap string) []parse.Piece {
	f := &r.regions[r.items[at].region]
	pieces := []parse.Piece{parse.Literal(gap, r.labelOf(f, b))}
	var values, types []string
	for _, p := range f.blocks[b].parameters {
		if name := r.items[p].name(); name >= 0 && !r.dead[p] {
			of := r.typeOf(name, r.names[name].text)
			values, types = append(values, r.value(of, at)), append(types, of)
		}
	}
	if values == nil {
		return pieces
	}
	return append(pieces, tokens("("+strings.Join(values, ", ")+" : "+strings.Join(types, ", ")+")")...)
}

// copied returns the tokens of an instruction, with constants in place of local values.
func (r *repair) copied(n, at int32, words []string) []string {
	it := &r.items[at]
	switch {
	case r.isOptional(n):
		return words
	case r.is(n, isValue):
		for _, m := range it.mentions {
			if r.contains(n, m.leaf) && r.names[m.name].within >= 0 {
				return append(words, r.value(r.typeAt(n, it.node, m), at))
			}
		}
	}
	if r.IsLeaf(n) {
		return append(words, r.text(n))
	}
	for d := n + 1; d < r.Nodes[n].Next; d = r.Nodes[d].Next {
		words = r.copied(d, at, words)
	}
	return words
}

// rebuild replaces the incoming values of an instruction if the blocks before it are others.
func (r *repair) rebuild(it *item, w *flow) bool {
	all := r.incomingOf(it)
	if all == nil || slices.Equal(w.from[it.block], w.blocks[it.block].from) {
		return false
	}
	of := map[string]int32{}
	for _, n := range all {
		_, label := r.ends(n)
		of[r.text(label)] = n
	}
	var pieces []parse.Piece
	for i, b := range w.from[it.block] {
		if i > 0 {
			pieces = append(pieces, parse.Literal("", ","))
		}
		before := r.labelOf(w.region, b)
		n, found := of[before]
		if !found {
			n = all[0]
		}
		pieces = append(pieces, r.incoming(it, n, found, before)...)
	}
	last := all[len(all)-1]
	if r.base.Live(all[0]) || r.base.Live(last) {
		r.edits = append(r.edits, parse.Edit{From: r.Nodes[all[0]].First, To: r.Nodes[last].Last, With: pieces})
	}
	return true
}

// incoming returns an incoming value with another label; with a constant if the value is not known.
func (r *repair) incoming(it *item, n int32, known bool, label string) (pieces []parse.Piece) {
	value, last := r.ends(n)
	for d := n + 1; d < r.Nodes[n].Next; d = r.Nodes[d].Next {
		switch o, lost := r.operands[d]; {
		case d == last:
			pieces = append(pieces, parse.Literal(" ", label))
		case d == value && !known:
			pieces = append(pieces, parse.Literal(" ", r.facts.constant(r.text(r.typeBefore(n, it.node)))))
		case lost:
			pieces = append(pieces, parse.Literal(" ", r.replacement(o)))
		default:
			pieces = append(pieces, parse.Nodes(d))
		}
	}
	return pieces
}

// empty removes the body of a function, its last part, and the asides, which declarations may not have.
func (r *repair) empty(it *item) {
	words, end := r.facts.words("stub"), r.Nodes[it.node].Next
	for d := it.node + 1; d < end; d = r.Nodes[d].Next {
		if r.Nodes[d].Next == end || r.isOptional(d) {
			r.late = append(r.late, d)
		} else if r.IsLeaf(d) && r.text(d) == words[0] {
			r.put(d, parse.Literal("", strings.Join(words[1:], " ")))
		}
		for n := d + 1; n < r.Nodes[d].Next; n = r.Nodes[n].Next {
			if r.isOptional(n) {
				r.late = append(r.late, n)
			}
		}
	}
}
