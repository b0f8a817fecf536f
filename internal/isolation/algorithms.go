package isolation

import (
	"slices"

	"whittle"
	"whittle/algo"
	"whittle/algo/c2d2"
	"whittle/algo/grain"
	"whittle/isolate"
)

// An algorithm is a row of the table of those that find the fewest changes.
type algorithm struct {
	name string
	by   isolate.Algorithm
}

// table returns the table, the default first: that and c2d2 make use of what the changes
// need, the others do not.
func table() []algorithm {
	p := algo.Params{P0: whittle.DefaultP0, Seed: 1}
	rows := []algorithm{
		{"grain", func(l isolate.List) *algo.Step[[]int] {
			coupled := grain.Coupled(l.Needs)
			if !l.Last { // what is finer tells more
				return coupled(l.Weights)
			}
			c := c2d2.Thrifty()
			c.Needs = l.Needs
			return c.After(coupled, p)(l.Weights)
		}},
		{"c2d2", func(l isolate.List) *algo.Step[[]int] { return c2d2.New(l.Needs, p)(l.Weights) }},
		{"c2d2-alone", func(l isolate.List) *algo.Step[[]int] { return c2d2.New(nil, p)(l.Weights) }},
	}
	for _, e := range whittle.Algorithms() {
		if slices.ContainsFunc(rows, func(a algorithm) bool { return a.name == e.Name }) {
			continue
		}
		rows = append(rows, algorithm{e.Name, func(l isolate.List) *algo.Step[[]int] {
			if l.Last {
				return algo.ThenEach(e.Adaptive(p))(l.Weights)
			}
			return e.Adaptive(p)(l.Weights)
		}})
	}
	return rows
}

// Algorithms returns the names of those that find the fewest changes, the default first.
func Algorithms() (names []string) {
	for _, a := range table() {
		names = append(names, a.name)
	}
	return names
}

// AlgorithmOf returns the algorithm of a name; nil if there is none.
func AlgorithmOf(name string) isolate.Algorithm {
	for _, a := range table() {
		if a.name == name {
			return a.by
		}
	}
	return nil
}
