package ssa

// joinable reports whether the block above is the only one before b, and has no other next block. A block without a
// label of its own stays.
func (g *graph) joinable(f *region, b int32) bool {
	if b == 0 || g.headOf(&f.blocks[b]) < 0 || len(f.blocks[b].from) != 1 ||
		len(f.blocks[b-1].to) != 1 || f.blocks[b-1].to[0].block != b {
		return false
	}
	return g.firstWord(g.lastOf(&f.blocks[b-1])) == g.facts.words("jump")[0]
}

// join removes the jump to a block, its label, and its incoming values.
func (r *repair) join(f *region, b int32) {
	before := f.blocks[b-1].items
	gone := []int32{before[len(before)-1]}
	for _, at := range f.blocks[b].items {
		if r.incomingOf(&r.items[at]) != nil {
			gone = append(gone, at)
		}
	}
	for _, at := range gone {
		r.drop = append(r.drop, r.items[at].node)
		r.kill(at)
	}
	for _, p := range f.blocks[b].parameters {
		r.kill(p)
	}
	r.drop = append(r.drop, r.headOf(&f.blocks[b]))
}

// headOf returns the child of a block with its label, or -1.
func (g *graph) headOf(b *cell) int32 {
	if b.name < 0 {
		return -1
	}
	return g.around(g.names[b.name].leaf, b.node, func(n int32) bool { return g.Nodes[n].Parent == b.node })
}
