package ssa

import "slices"

// A flow is the control flow of a function without some of its blocks and edges.
//
//	a -> b -> c    without b: a -> c, and the values of b become others
type flow struct {
	*repair
	*region
	gone  []bool
	live  []bool     // reachable blocks
	to    [][]target // of the edges of each live block; one if only one block is left
	from  [][]target // the blocks before each live block
	known map[int32]target
}

// A target is the block that an edge leads to, or -1. via is the block before that in the input.
type target struct{ block, via int32 }

var nowhere = target{-1, -1}

// reflow removes the blocks of a function that are not reachable any more.
func (r *repair) reflow(in int32) {
	f := &r.regions[in]
	if r.dead[f.item] || r.isStub(in) {
		return
	}
	changed := r.loseEdges(f)
	n := len(f.blocks)
	w := &flow{repair: r, region: f, gone: make([]bool, n), live: make([]bool, n), to: make([][]target, n),
		from: make([][]target, n), known: map[int32]target{}}
	for i, b := range f.blocks {
		w.gone[i] = i > 0 && r.cut[b.node] == remove
		changed = changed || w.gone[i]
		if b.node >= 0 && r.cut[b.node] == join {
			r.join(f, int32(i))
		}
	}
	if !changed {
		return
	}
	r.flows[in] = w
	w.reach()
	for i, b := range f.blocks {
		if w.live[i] {
			if _, few := w.left(int32(i)); few {
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
		last := &r.items[b.items[len(b.items)-1]]
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

// reach visits the blocks from the first one on, and from those that no edge of the input reaches.
func (w *flow) reach() {
	var open []int32
	for i, b := range w.blocks {
		if w.live[i] = i == 0 || b.from == nil && !w.gone[i]; w.live[i] {
			open = append(open, int32(i))
		}
	}
	for len(open) > 0 {
		b := open[len(open)-1]
		open = open[:len(open)-1]
		w.to[b] = w.targets(b)
		for _, t := range w.to[b] {
			if t.block < 0 {
				continue
			}
			for _, other := range w.from[t.block] {
				if other.block == b { // has the same incoming values
					t.via = other.via
					break
				}
			}
			w.from[t.block] = append(w.from[t.block], target{b, t.via})
			if !w.live[t.block] {
				w.live[t.block] = true
				open = append(open, t.block)
			}
		}
	}
}

// targets returns where the edges of a block lead. Edges that cannot be deleted lead to another target.
func (w *flow) targets(b int32) []target {
	edges := w.blocks[b].to
	targets, some, distinct := make([]target, len(edges)), nowhere, map[int32]bool{}
	for i, e := range edges {
		targets[i] = w.follow(b, e)
		if t := targets[i]; t.block >= 0 {
			distinct[t.block] = true
			if some == nowhere {
				some = t
			}
		}
	}
	if w.same(b, targets) {
		return targets
	}
	if len(distinct) == 1 && w.blocks[some.block].pad {
		return nil
	}
	if len(distinct) == 1 {
		return []target{some}
	}
	for i, t := range targets {
		if t.block < 0 && edges[i].member < 0 {
			targets[i] = some
		}
	}
	return targets
}

// left returns the targets that are left, and whether a jump or an end replaces the instruction.
func (w *flow) left(b int32) (left []target, few bool) {
	for _, t := range w.to[b] {
		if t.block >= 0 {
			left = append(left, t)
		}
	}
	return left, len(left) < 2 && !w.same(b, w.to[b])
}

// same reports whether targets are as in the input.
func (w *flow) same(b int32, targets []target) bool {
	to := w.blocks[b].to
	for i, t := range targets {
		if t.block != to[i].block {
			return false
		}
	}
	return len(targets) == len(to)
}

// follow returns where an edge of block b leads: to the nearest block that stays, through blocks that are gone.
func (w *flow) follow(b int32, e edge) target {
	if w.cut[e.leaf] == detach {
		return nowhere
	}
	if !w.gone[e.block] {
		return target{e.block, b}
	}
	t, found := w.known[e.block]
	if !found {
		t = w.nearest(e.block)
		w.known[e.block] = t
	}
	return t
}

func (w *flow) nearest(from int32) target {
	if w.blocks[from].pad {
		return nowhere
	}
	seen := map[int32]bool{from: true}
	for open := []int32{from}; len(open) > 0; open = open[1:] {
		for _, e := range w.blocks[open[0]].to {
			switch {
			case w.cut[e.leaf] == detach || w.blocks[e.block].pad || seen[e.block] || e.block == 0:
			case !w.gone[e.block]:
				return target{e.block, open[0]}
			default:
				seen[e.block] = true
				open = append(open, e.block)
			}
		}
	}
	return nowhere
}

// sameFrom reports whether the blocks before a block are as in the input.
func (w *flow) sameFrom(b int32) bool {
	var from []int32
	for _, t := range w.from[b] {
		if t.block != t.via {
			return false
		}
		from = append(from, t.block)
	}
	slices.Sort(from)
	return slices.Equal(from, w.blocks[b].from)
}
