package grain

import (
	"slices"

	"whittle/algo"
)

// Coupled returns grain for a list with dependencies, such as the changes of a commit: item i needs the items needs[i],
// and a test of an item without them is unresolved.
//
// Items that need each other form a group, which comes before the items that it needs. So a kept item keeps the items
// that it needs without a question. After an unresolved question, the rest of the list is searched again: an unknown
// need may have been removed later.
//
// Few changes are required: at most eight items, √n, or a third of a list are expected.
//
// Guarantee: minimal among the lists that respect the known needs, if the property is monotone among them and each is
// resolved. An item that is kept for a wrong need stays; [algo.ThenEach] finds it.
func Coupled(needs [][]int) algo.Algorithm {
	return func(weights []int) *algo.Step[[]int] {
		return coupled(slices.Clone(weights), needs, algo.All(len(weights)))
	}
}

// fewNeeded expects at most eight items, √n, or a third of a list; see [Params.MostNeeded].
var fewNeeded = [growths]float64{8, 1, 1. / 3}

func coupled(weights []int, needs [][]int, list []int) *step {
	c := couple(needs, list)
	sums := make([]int, len(c.groups))
	for g, items := range c.groups {
		for _, item := range items {
			sums[g] += weights[item]
		}
	}
	p := Defaults()
	p.MostNeeded = fewNeeded
	s := searchIn(&p, algo.All(len(sums)), sums, posterior{})
	return c.ask(s.next(), list, false, func(left []int, unresolved bool) *step {
		if !unresolved || len(left) == len(list) {
			return nil
		}
		return coupled(weights, needs, left)
	})
}

type coupling struct {
	groups [][]int // in search order: a group comes before the groups that it needs
	needs  [][]int // needs[g] are the groups that group g needs
}

// couple makes the groups: the strongly connected components of the needs (Tarjan, "Depth-First Search and Linear Graph
// Algorithms", 1972).
func couple(needs [][]int, list []int) coupling {
	var c coupling
	var path []int // items without a group
	seen := make(map[int]int)
	group := make(map[int]int)
	var visit func(item int) (first int)
	visit = func(item int) int {
		seen[item] = len(seen)
		at, first := len(path), seen[item]
		path = append(path, item)
		for _, needed := range neededBy(needs, item, list) {
			if _, done := group[needed]; done {
				continue
			}
			if when, open := seen[needed]; open {
				first = min(first, when)
			} else {
				first = min(first, visit(needed))
			}
		}
		if first == seen[item] {
			for _, member := range path[at:] {
				group[member] = len(c.groups)
			}
			c.groups = append(c.groups, slices.Clone(path[at:]))
			path = path[:at]
		}
		return first
	}
	for _, item := range slices.Backward(list) {
		if _, done := seen[item]; !done {
			visit(item)
		}
	}
	// Tarjan's algorithm finishes a group after the groups that it needs.
	slices.Reverse(c.groups)
	c.needs = make([][]int, len(c.groups))
	for g, items := range c.groups {
		for _, item := range items {
			for _, needed := range neededBy(needs, item, list) {
				c.needs[g] = append(c.needs[g], len(c.groups)-1-group[needed])
			}
		}
	}
	return c
}

func neededBy(needs [][]int, item int, list []int) []int {
	if item >= len(needs) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(needs[item]), func(needed int) bool {
		_, in := slices.BinarySearch(list, needed)
		return !in
	})
}

func (c coupling) items(groups []int) []int {
	in := make([]bool, len(c.groups))
	var list []int
	for open := slices.Clone(groups); len(open) > 0; {
		g := open[len(open)-1]
		open = open[:len(open)-1]
		if !in[g] {
			in[g] = true
			list = append(list, c.groups[g]...)
			open = append(open, c.needs[g]...)
		}
	}
	slices.Sort(list)
	return list
}

// ask converts the search s of groups, for which a group that another one needs counts as removed.
func (c coupling) ask(s *step, left []int, unresolved bool, then func(left []int, unresolved bool) *step) *step {
	for !s.Ended() {
		kept := c.items(s.Candidate)
		if len(kept) == len(left) {
			s = s.Next(algo.Interesting)
			continue
		}
		return &step{Candidate: kept, Chance: s.Chance, Next: func(o algo.Outcome) *step {
			left := left
			if o == algo.Interesting {
				left = kept
			}
			return c.ask(s.Next(o), left, unresolved || o == algo.Unresolved, then)
		}}
	}
	return then(left, unresolved)
}
