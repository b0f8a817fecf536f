package grain

import (
	"slices"

	"whittle/algo"
)

// Coupled returns grain for a list of which item i is known to need the items
// needs[i], as the changes of a commit need each other: a test of an item without
// what it needs is unresolved.
//
// Items that need each other are one, and what needs others comes first. So whatever
// may need an item has been decided before it: what has gone needs nothing, and what
// is kept keeps all that it needs, without a question. If a question was unresolved
// there is a need that is not known, of an item that came later and may have gone
// since, and what is left is searched again. Nothing else is made of such outcomes.
//
// Of changes few matter, however many there are: of what the model holds for possible
// the largest shares are left out (at most eight, or √n, or a third of a list).
//
// Guarantee: minimal among the lists that lack nothing known to be needed, if the property is
// monotone among them and none of them is unresolved. What is wrongly said to be
// needed stays; [algo.ThenEach] finds it.
func Coupled(needs [][]int) algo.Algorithm {
	return func(weights []int) *algo.Step[[]int] {
		return coupled(slices.Clone(weights), needs, algo.All(len(weights)))
	}
}

// coupled searches the list that is left.
func coupled(weights []int, needs [][]int, list []int) *step {
	c := couple(needs, list)
	sums := make([]int, len(c.groups))
	for g, items := range c.groups {
		for _, item := range items {
			sums[g] += weights[item]
		}
	}
	p := Defaults()
	p.MostNeeded = [growths]float64{8, 1, 1. / 3}
	s := searchIn(&p, algo.All(len(sums)), sums, posterior{})
	return c.ask(s.next(), list, false, func(left []int, unresolved bool) *step {
		if !unresolved || len(left) == len(list) {
			return nil
		}
		return coupled(weights, needs, left)
	})
}

// A coupling is a list as groups of items that go together.
type coupling struct {
	groups [][]int // those that need others in front of these
	needs  [][]int // of each group the groups that its items need
}

// couple makes the groups: the strongly connected parts of what needs what (Tarjan,
// "Depth-First Search and Linear Graph Algorithms", 1972).
func couple(needs [][]int, list []int) coupling {
	var c coupling
	var path []int // of items without a group
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
	// A group is done after all that it needs; so the last comes first.
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

// neededBy returns what an item needs of a list.
func neededBy(needs [][]int, item int, list []int) []int {
	if item >= len(needs) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(needs[item]), func(needed int) bool {
		_, in := slices.BinarySearch(list, needed)
		return !in
	})
}

// items returns the items of some groups and of all that they need.
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

// ask returns the search s of groups as one of items. A group that stays because another
// needs it counts as gone with s.
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
