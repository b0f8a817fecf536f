package perses

import (
	"whittle/algo"
	"whittle/parse"
)

// A nest is a list of nodes of one kind, each a descendant of the node before. The first is the current node, or the
// innermost level around it. The other levels must stay. nil is no nest.
type nest []int32

// fewest is the minimum number of levels of a nest. Replacements find the way in shorter ones.
const fewest = 2 * depth

// nest returns n and descendants that can replace each other, on the path of the heaviest children; nil if they are
// few.
func (d *driver) nest(base *candidate, n int32) nest {
	if !d.extended || n == 0 {
		return nil
	}
	levels := nest{n}
	for m, last := d.heaviest(base, n), n; m >= 0; m = d.heaviest(base, m) {
		if base.WeightOf(m) < base.WeightOf(last) && d.tree.Kind(m) == d.tree.Kind(n) && d.tree.Replaceable(last, m) {
			levels, last = append(levels, m), m
		}
	}
	if len(levels) < fewest {
		return nil
	}
	return levels
}

// heaviest returns the heaviest child of n, or -1.
func (d *driver) heaviest(base *candidate, n int32) (heaviest int32) {
	heaviest, weight := -1, 0
	for _, c := range base.Children(n) {
		if w := base.WeightOf(c); w > weight {
			heaviest, weight = c, w
		}
	}
	return heaviest
}

// levels searches the levels of a nest as a list. A level without the next one is an item, and the innermost level is
// the last item: to remove the levels i to j, level j+1 replaces level i.
//
//	f(g(h(i(x))))
//	f(  h(  x ))    without g and i
//
// Levels that are left count as required in this pass, also those that the policy put off. A few required levels of n
// take O(log n) tests, and so does any number of levels with the same text.
func (d *driver) levels(base *candidate, levels nest) *task {
	weights := make([]int, len(levels))
	for i, n := range levels {
		weights[i] = base.WeightOf(n)
		if i > 0 {
			weights[i-1] -= weights[i]
		}
	}
	return &task{
		Weight: base.WeightOf(levels[0]),
		List:   algo.List{Weights: weights, Whole: base.Weight(), Kind: "nest", Known: d.knownLevel(base, levels)},
		Edit:   levels.keep,
		Done: func(base *candidate, kept []int, q *queue) (*task, *queue) {
			left := levels
			if kept != nil {
				left = nil
				for _, i := range kept {
					left = append(left, levels[i])
				}
			}
			if len(left) == 0 {
				return nil, q
			}
			return nil, q.push(entry{left[0], base.WeightOf(left[0]), false, left})
		},
	}
}

// keep returns base with some of the levels.
func (l nest) keep(base *candidate, kept []int) *candidate {
	c, next := base, 0
	for _, i := range kept {
		if i > next {
			c = c.Hoist(l[next], l[i])
		}
		next = i + 1
	}
	if next < len(l) && base.WeightOf(l[next]) > 1 {
		c = c.Prune(l[next])
	}
	return c
}

// removes reports whether the removal of n also removes a level that must stay.
func (l nest) removes(t *parse.Tree, n int32) bool {
	return len(l) > 1 && n <= l[1] && l[1] < t.Nodes[n].Next
}

// refutes reports whether a choice for n removes a level that must stay.
func (l nest) refutes(t *parse.Tree, n int32, c choice) bool {
	switch {
	case len(l) < 2:
		return false
	case c.run == nil || l[1] < c.run[0] || l[1] >= t.Nodes[c.run[len(c.run)-1]].Next:
		return true
	}
	return n == l[0] && c.run[0] == l[1]
}

// at returns the nest for n, a descendant of the node of l.
func (l nest) at(t *parse.Tree, n int32) nest {
	switch {
	case !l.removes(t, n):
		return nil
	case n == l[1]:
		return l[1:]
	}
	return l
}
