package deps

import (
	"cmp"
	"slices"

	"whittle/algo"
	"whittle/parse"
)

// lighter returns slices without one of the definitions that keep the most code.
func (s *slice) lighter(t progress) (more []*slice) {
	weights := s.exclusive(t.base)
	var heavy []int32
	for i := range s.units {
		if u := int32(i); weights[i]*lightest >= t.base.Weight() && !s.isAround(u) {
			heavy = append(heavy, u)
		}
	}
	slices.SortStableFunc(heavy, func(a, b int32) int { return cmp.Compare(weights[b], weights[a]) })
	w := *s
	w.loose, w.full = nil, false
	for _, u := range heavy[:min(len(heavy), mostLighter)] {
		learned := t.learned
		learned.needs = learned.needs.without(u).with(unwanted, []int32{u})
		more = append(more, w.with(state{base: t.base, pinned: algo.All(len(s.nodes)), learned: learned}))
	}
	return more
}

// exclusive returns the weight of the code that the roots only reach through each unit: the units that it dominates.
// Members are reached through their class. See Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
func (s *slice) exclusive(base *parse.Candidate) []int {
	start := int32(len(s.units))
	number, above, before := make([]int, start+1), make([]int32, start+1), make([][]int32, start+1)
	var order []int32 // postorder
	var visit func(i int32)
	reach := func(i, d int32) {
		if base.Live(s.units[d].node) {
			if before[d] = append(before[d], i); len(before[d]) == 1 {
				visit(d)
			}
		}
	}
	visit = func(i int32) {
		for _, m := range s.units[i].members {
			if s.class[m] == i {
				reach(i, m)
			}
		}
		for _, m := range s.units[i].mentions {
			if !base.Live(m.node) {
				continue
			}
			for _, d := range s.define[m.name] {
				if s.class[d] < 0 {
					reach(i, d)
				}
			}
		}
		order = append(order, i)
		number[i], above[i] = len(order), -1
	}
	for _, r := range s.roots {
		for s.class[r] >= 0 {
			r = s.class[r]
		}
		reach(start, r)
	}
	number[start], above[start] = len(order)+1, start
	for again := true; again; {
		again = false
		for _, i := range slices.Backward(order) {
			nearest := int32(-1)
			for _, p := range before[i] {
				if above[p] < 0 {
					continue
				}
				for nearest >= 0 && nearest != p {
					if number[nearest] < number[p] {
						nearest = above[nearest]
					} else {
						p = above[p]
					}
				}
				nearest = p
			}
			again = again || above[i] != nearest
			above[i] = nearest
		}
	}
	weights := append(s.weights(base), 0)
	for i := range s.units {
		if number[i] == 0 {
			weights[i] = 0
		}
	}
	for _, i := range order {
		weights[above[i]] += weights[i]
	}
	return weights[:start]
}
