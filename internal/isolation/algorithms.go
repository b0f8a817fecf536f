package isolation

import (
	"slices"

	"whittle"
	"whittle/algo"
	"whittle/algo/c2d2"
	"whittle/algo/grain"
	"whittle/isolate"
)

type algorithm struct {
	name string
	by   isolate.Algorithm
}

// table returns the algorithms, the default first. Only that and c2d2 use dependencies between
// changes.
func table() []algorithm {
	p := algo.Params{P0: whittle.DefaultP0, Seed: 1}
	all := []algorithm{
		{"grain", func(l isolate.List) *algo.Step[[]int] {
			coupled := grain.Coupled(l.Needs)
			if !l.Last { // finer levels have more information
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
		if slices.ContainsFunc(all, func(a algorithm) bool { return a.name == e.Name }) {
			continue
		}
		all = append(all, algorithm{e.Name, func(l isolate.List) *algo.Step[[]int] {
			if l.Last {
				return algo.ThenEach(e.Adaptive(p))(l.Weights)
			}
			return e.Adaptive(p)(l.Weights)
		}})
	}
	return all
}

// Algorithms returns the names of the algorithms, the default first.
func Algorithms() (names []string) {
	for _, a := range table() {
		names = append(names, a.name)
	}
	return names
}

func algorithmOf(name string) isolate.Algorithm {
	all := table()
	return all[slices.IndexFunc(all, func(a algorithm) bool { return a.name == name })].by
}
