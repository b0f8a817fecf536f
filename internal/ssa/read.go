package ssa

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/parse"
)

// read returns nil if there are no functions.
func read(t *parse.Tree, facts Facts) *graph {
	g := &graph{Tree: t, facts: facts, roles: facts.rolesOf(t), namesake: facts.words("namesake"),
		typed: facts.words("results") != nil, types: map[int32][]string{}}
	if last := facts.words("last"); last != nil {
		g.last = expression(last[0])
	}
	for g.prefix = "v"; regexp.MustCompile(`\b` + g.prefix + `[0-9]`).Match(g.Source); {
		g.prefix += "v"
	}
	r := reader{graph: g, global: map[string]int32{}}
	r.visit(0, -1, -1)
	for _, u := range r.waiting {
		r.resolve(u)
	}
	for i := range g.regions {
		g.link(&g.regions[i])
	}
	if len(g.regions) == 0 {
		return nil
	}
	return g
}

type reader struct {
	*graph
	global  map[string]int32
	waiting []mention
}

// visit reads a node in an item, or -1, and in a region, or -1.
func (r *reader) visit(n, around, in int32) {
	it := item{node: n, region: in, block: -1, around: around, inner: -1}
	var f *region
	if in >= 0 {
		f = &r.regions[in]
	}
	switch {
	case around < 0 && r.is(n, isFunction):
		in = r.enter(region{item: int32(len(r.items)), node: n, outer: -1})
		it.role, it.region, it.inner = isFunction|isEntity, in, in
	case around < 0 && r.is(n, isEntity):
		it.role = isEntity
	case around < 0:
	case f != nil && r.is(n, isParameter):
		it.role = isParameter
		if b := r.heads(f, n); b != nil {
			b.parameters = append(b.parameters, int32(len(r.items)))
		}
	case r.is(n, isRegion):
		if owner := &r.items[around]; f != nil && f.item == around && f.node == owner.node {
			f.node = n
		} else {
			in = r.enter(region{item: around, node: n, outer: in})
			if owner.inner < 0 {
				owner.inner = in
			}
		}
	case f == nil:
	case r.is(n, isBlock):
		f.blocks = append(f.blocks, cell{node: n, name: -1})
	case r.is(n, isInstruction):
		if f.blocks == nil {
			f.blocks = []cell{{node: -1, name: -1}}
		}
		it.role, it.block = isInstruction, int32(len(f.blocks)-1)
		b := &f.blocks[it.block]
		b.items = append(b.items, int32(len(r.items)))
	}
	if it.role != 0 {
		around = int32(len(r.items))
		r.items = append(r.items, it)
	}
	if r.IsLeaf(n) && (r.Nodes[n].Named || r.isNamesake(n)) && !r.Nodes[n].Comment && around >= 0 {
		r.leaf(n, around, in)
	}
	for d := n + 1; d < r.Nodes[n].Next; d = r.Nodes[d].Next {
		r.visit(d, around, in)
	}
}

func (r *reader) enter(in region) int32 {
	in.top, in.local, in.unknown = int32(len(r.regions)), map[string][]int32{}, map[string]bool{}
	if in.outer >= 0 {
		around := &r.regions[in.outer]
		in.top, in.local, in.unknown = around.top, around.local, around.unknown
	}
	r.regions = append(r.regions, in)
	return int32(len(r.regions)) - 1
}

// heads returns the block of a node before the first instruction of the block, or nil.
func (r *reader) heads(f *region, n int32) *cell {
	if f != nil && len(f.blocks) > 0 {
		if b := &f.blocks[len(f.blocks)-1]; b.node >= 0 && r.contains(b.node, n) && b.items == nil {
			return b
		}
	}
	return nil
}

func (r *reader) leaf(n, at, in int32) {
	if !r.is(n, isDefinition) {
		r.waiting = append(r.waiting, mention{leaf: n, item: at})
		return
	}
	it, id := &r.items[at], int32(len(r.names))
	d := name{text: r.text(n), leaf: n, item: at, block: -1, within: -1}
	var f *region
	if in >= 0 {
		d.region, f = in, &r.regions[in]
	}
	b := r.heads(f, n)
	switch {
	case b != nil && it.role&isParameter == 0:
		d.text, d.item, d.block, d.within = r.label(d.text), -1, int32(len(f.blocks)-1), f.node
		b.name = id
	case it.role&isEntity != 0 && it.defines != nil:
		return // a parameter of a declaration
	case it.role&isEntity != 0:
		if inner := strings.Trim(d.text, `"`); inner != d.text { // a string
			d.text = strings.Join(r.facts.words("symbol"), "") + inner
		}
		r.global[d.text] = id
		it.defines = append(it.defines, id)
	default:
		d.within = f.node
		if it.role&isParameter != 0 && b == nil {
			d.within = r.items[it.around].node
		}
		it.defines = append(it.defines, id)
	}
	r.names = append(r.names, d)
	if d.within >= 0 {
		f.local[d.text] = append(f.local[d.text], id)
	}
}

// isNamesake reports whether a leaf has the name of the entity with another sigil.
func (g *graph) isNamesake(leaf int32) bool {
	return g.namesake != nil && !g.Nodes[leaf].Named && g.text(leaf) == g.namesake[0]
}

func (g *graph) label(text string) string {
	return strings.Join(g.facts.words("label"), "") + strings.TrimSuffix(text, ":")
}

func (r *reader) resolve(m mention) {
	it := &r.items[m.item]
	text := r.text(m.leaf)
	if r.isNamesake(m.leaf) && it.defines != nil {
		text = r.namesake[1] + r.names[it.defines[0]].text[1:]
	}
	id, known := r.global[text]
	if it.region >= 0 && !r.is(m.leaf, isType) {
		of, _ := r.split(text)
		for _, local := range r.regions[it.region].local[of] {
			if in := r.names[local].within; r.contains(in, m.leaf) && (!known || in >= r.names[id].within) {
				id, known = local, true
			}
		}
	}
	if number, _ := r.number(m.leaf); !known && number != "" && it.region >= 0 {
		r.regions[it.region].unknown[text] = true
	}
	if !known || slices.Contains(it.defines, id) {
		return
	}
	m.name = id
	it.mentions = append(it.mentions, m)
	r.names[id].uses = append(r.names[id].uses, m)
}

// split returns the name in a mention of one of its values, and the number of the value.
func (g *graph) split(text string) (of string, number int) {
	if sign := g.facts.words("one"); sign != nil {
		if of, n, found := strings.Cut(text, sign[0]); found && of != "" {
			number, _ = strconv.Atoi(n)
			return of, number
		}
	}
	return text, 0
}

// link finds the edges of a function.
func (g *graph) link(f *region) {
	for i := range f.blocks {
		b := &f.blocks[i]
		if len(b.items) == 0 {
			continue
		}
		for _, at := range b.items {
			b.pad = b.pad || g.isPad(&g.items[at])
		}
		last := g.lastOf(b)
		for _, m := range last.mentions {
			if to := g.names[m.name].block; to >= 0 {
				node := g.around(m.leaf, last.node, g.with(isSuccessor))
				if node < 0 {
					node = m.leaf
				}
				b.to = append(b.to, edge{m.leaf, to, node, g.around(m.leaf, last.node, g.isDroppable)})
				f.blocks[to].from = append(f.blocks[to].from, int32(i))
			}
		}
	}
}
