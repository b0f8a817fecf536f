package g4

import "slices"

// cycles returns the strongly connected components that have an edge, in ascending order. It is Tarjan's algorithm with
// an explicit stack, because grammars may have long chains of rules.
func cycles(edges [][]int) (found [][]int) {
	type frame struct{ node, edge int }
	order := make([]int, len(edges)) // 0: not seen
	low := make([]int, len(edges))
	open := make([]bool, len(edges))
	var path []frame
	var pending []int
	seen := 0
	enter := func(node int) {
		seen++
		order[node], low[node], open[node] = seen, seen, true
		path = append(path, frame{node, 0})
		pending = append(pending, node)
	}
	for start := range edges {
		if order[start] == 0 {
			enter(start)
		}
		for len(path) > 0 {
			f := &path[len(path)-1]
			if f.edge < len(edges[f.node]) {
				to := edges[f.node][f.edge]
				f.edge++
				if order[to] == 0 {
					enter(to)
				} else if open[to] {
					low[f.node] = min(low[f.node], order[to])
				}
				continue
			}
			node := f.node
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1].node
				low[parent] = min(low[parent], low[node])
			}
			if low[node] != order[node] {
				continue
			}
			i := len(pending) - 1
			for open[pending[i]] = false; pending[i] != node; open[pending[i]] = false {
				i--
			}
			set := slices.Clone(pending[i:])
			pending = pending[:i]
			if len(set) > 1 || slices.Contains(edges[node], node) {
				slices.Sort(set)
				found = append(found, set)
			}
		}
	}
	slices.SortFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}
