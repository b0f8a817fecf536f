package g4

import "slices"

// cycles finds strongly connected components with an edge, in ascending order, by Tarjan's algorithm.
func cycles(edges [][]int) (found [][]int) {
	order := make([]int, len(edges)) // 0: not seen
	low := make([]int, len(edges))
	open := make([]bool, len(edges))
	var pending []int
	seen := 0
	var visit func(node int)
	visit = func(node int) {
		seen++
		order[node], low[node], open[node] = seen, seen, true
		at := len(pending)
		pending = append(pending, node)
		for _, to := range edges[node] {
			if order[to] == 0 {
				visit(to)
				low[node] = min(low[node], low[to])
			} else if open[to] {
				low[node] = min(low[node], order[to])
			}
		}
		if low[node] != order[node] {
			return
		}
		set := slices.Sorted(slices.Values(pending[at:]))
		pending = pending[:at]
		for _, n := range set {
			open[n] = false
		}
		if len(set) > 1 || slices.Contains(edges[node], node) {
			found = append(found, set)
		}
	}
	for node := range edges {
		if order[node] == 0 {
			visit(node)
		}
	}
	slices.SortFunc(found, slices.Compare)
	return found
}
