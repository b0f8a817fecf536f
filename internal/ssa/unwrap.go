package ssa

// bodyOf returns the largest region of an instruction that has one block, or nil.
func (g *graph) bodyOf(at int32) (body *region) {
	for i := range g.regions {
		f := &g.regions[i]
		if f.item == at && len(f.blocks) == 1 && (body == nil || g.size(f.node) > g.size(body.node)) {
			body = f
		}
	}
	return body
}

func (g *graph) size(n int32) int { return int(g.Nodes[n].Last - g.Nodes[n].First) }

// wrapped returns the instructions that can become their bodies.
func (g *graph) wrapped() (parts []part) {
	for at := int32(len(g.items)) - 1; at >= 0; at-- {
		it := &g.items[at]
		if it.inner < 0 || it.block < 0 || g.isLast(it) || g.isPad(it) {
			continue
		}
		if body := g.bodyOf(at); body != nil {
			p := g.part(unwrap, it.node)
			p.weight -= g.size(body.node) - 2
			parts = append(parts, p)
		}
	}
	return parts
}

// unwrap keeps the instructions of the body that need no other around them.
func (r *repair) unwrap(at int32) {
	it, kept := &r.items[at], map[int32]bool{}
	body := r.bodyOf(at)
	for _, k := range body.blocks[0].items {
		kept[r.items[k].node] = !r.isLast(&r.items[k]) && !r.isPad(&r.items[k])
	}
	r.lose(it.defines...)
	for _, k := range r.inside(at)[1:] {
		if n := r.items[k].node; !r.contains(body.node, n) || r.items[k].around == at && !kept[n] {
			r.kill(k)
		}
	}
	for n := it.node + 1; n < r.Nodes[it.node].Next; n++ {
		if kept[n] {
			n = r.Nodes[n].Next - 1
		} else if r.IsLeaf(n) {
			r.drop = append(r.drop, n)
		}
	}
}
