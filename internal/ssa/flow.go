package ssa

import "slices"

// A flow is the control flow of a function without some of its blocks and edges.
//
//	a -> b -> c    without b: a -> c, and the values of b become others
type flow struct {
	*repair
	*region
	gone  []bool
	live  []bool    // reachable blocks
	to    [][]int32 // the blocks that the edges of each live block lead to, or nowhere; one if only one is left
	from  [][]int32 // the blocks before each live block, in order
	known map[int32]int32
}

const nowhere int32 = -1

// reflow removes the blocks of a function that are not reachable any more.
func (r *repair) reflow(in int32) {
	f := &r.regions[in]
	if r.dead[f.item] || r.isStub(in) {
		return
	}
	changed := r.loseEdges(f)
	n := len(f.blocks)
	w := &flow{repair: r, region: f, gone: make([]bool, n), live: make([]bool, n), to: make([][]int32, n),
		from: make([][]int32, n), known: map[int32]int32{}}
	for i, b := range f.blocks {
		w.gone[i] = i > 0 && r.cut[b.node] == remove
		changed = changed || w.gone[i]
		if r.cut[b.node] == join {
			r.join(f, int32(i))
		}
	}
	if !changed {
		return
	}
	r.flows[in] = w
	for i, b := range f.blocks {
		if i == 0 || b.from == nil && !w.gone[i] { // no edge of the input leads to it
			w.reach(int32(i))
		}
	}
	for i, b := range f.blocks {
		if w.live[i] {
			left, few := w.left(int32(i))
			for _, t := range left {
				w.from[t] = append(w.from[t], int32(i))
			}
			if few {
				r.lose(r.lastOf(&b).defines...)
			}
			continue
		}
		if b.node >= 0 {
			r.drop = append(r.drop, b.node)
		}
		for _, at := range slices.Concat(b.parameters, b.items) {
			r.kill(at)
		}
		r.lose(b.name)
	}
}

// loseEdges detaches the edges of last instructions that go; all but the first if a callee is lost.
func (r *repair) loseEdges(f *region) (lost bool) {
	for _, b := range f.blocks {
		if len(b.to) == 0 {
			continue
		}
		last := r.lastOf(&b)
		keep := len(b.to)
		for _, m := range last.mentions {
			if n, _ := r.operandAround(m, last.node); n < 0 && r.lost[m.name] && r.names[m.name].block < 0 {
				keep = 1
			}
		}
		if r.cut[last.node] == remove {
			keep = 0
		}
		for i, e := range b.to {
			if i >= keep {
				r.cut[e.leaf] = detach
			}
			lost = lost || r.cut[e.leaf] == detach
		}
	}
	return lost
}

// reach visits a block, and the blocks that its edges lead to.
func (w *flow) reach(b int32) {
	if w.live[b] {
		return
	}
	w.live[b], w.to[b] = true, w.targets(b)
	for _, t := range w.to[b] {
		if t != nowhere {
			w.reach(t)
		}
	}
}

// targets returns where the edges of a block lead. Edges that cannot be deleted lead to another target.
func (w *flow) targets(b int32) []int32 {
	edges := w.blocks[b].to
	targets := make([]int32, len(edges))
	for i, e := range edges {
		targets[i] = w.follow(e)
	}
	some := slices.DeleteFunc(slices.Clone(targets), func(t int32) bool { return t == nowhere })
	switch {
	case w.same(b, targets):
		return targets
	case len(some) == 0 || slices.Max(some) != slices.Min(some):
	case w.blocks[some[0]].pad:
		return nil
	default:
		return some[:1]
	}
	for i, t := range targets {
		if t == nowhere && edges[i].member < 0 && len(some) > 0 {
			targets[i] = some[0]
		}
	}
	return targets
}

// left returns the targets that are left, and whether a jump or an end replaces the instruction.
func (w *flow) left(b int32) (left []int32, few bool) {
	left = slices.DeleteFunc(slices.Clone(w.to[b]), func(t int32) bool { return t == nowhere })
	return left, len(left) < 2 && !w.same(b, w.to[b])
}

// same reports whether targets are as in the input.
func (w *flow) same(b int32, targets []int32) bool {
	return slices.EqualFunc(targets, w.blocks[b].to, func(t int32, e edge) bool { return t == e.block })
}

// follow returns where an edge leads: to a block that stays, perhaps through blocks that are gone.
func (w *flow) follow(e edge) int32 {
	if w.cut[e.leaf] == detach {
		return nowhere
	}
	if !w.gone[e.block] {
		return e.block
	}
	if _, found := w.known[e.block]; !found {
		w.known[e.block] = nowhere // in a loop
		for _, next := range w.blocks[e.block].to {
			if t := w.follow(next); t > 0 && !w.blocks[t].pad && !w.blocks[e.block].pad {
				w.known[e.block] = t
				break
			}
		}
	}
	return w.known[e.block]
}
