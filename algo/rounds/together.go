package rounds

import (
	"slices"

	"whittle/algo"
)

// together is what rounds and batches have in common: parts of a search that ask
// against the same base. What of their changes holds together is then made.
//
//	base ──┬── part ? ? ? ──┬── all changes? ── then
//	       ├── part ? ? ? ──┤   or those of a half, …
//	       └── part ? ? ? ──┘
//
// This costs a test if more than one part has changed something. A part ends with
// an R.
type together[C, R any] struct {
	base   C
	allows func(base, c C) bool
	// changed returns which of the ends change the base, in order.
	changed func(ends []R) []int
	// edit returns the base with what some of the ends change, at least one.
	edit func(ends []R, some []int) C
	// undone returns the end of a part whose change does not hold with the others.
	undone func(part int) R
	// then goes on. All that the ends change holds together, and base has it.
	then func(base C, ends []R) *algo.Step[C]
}

// A part asks, and goes on with end.
type part[C, R any] func(end func(R) *algo.Step[C]) *algo.Step[C]

// fork lets the parts ask.
func (g *together[C, R]) fork(parts []part[C, R]) *algo.Step[C] {
	if len(parts) == 1 {
		return parts[0](func(end R) *algo.Step[C] { return g.join([]R{end}) })
	}
	searches := make([]func() *algo.Step[C], len(parts))
	for i, part := range parts {
		searches[i] = func() *algo.Step[C] {
			return part(func(end R) *algo.Step[C] { return &algo.Step[C]{End: end} })
		}
	}
	return &algo.Step[C]{Fork: searches, Join: func(ends []any) *algo.Step[C] {
		rs := make([]R, len(ends))
		for i, end := range ends {
			rs[i] = end.(R)
		}
		return g.join(rs)
	}}
}

// join unites what the ends change.
func (g *together[C, R]) join(ends []R) *algo.Step[C] {
	changed := g.changed(ends)
	if len(changed) == 0 {
		return g.then(g.base, ends)
	}
	with := func(some []int) (C, bool) {
		c := g.edit(ends, some)
		return c, g.allows(g.base, c)
	}
	return unite(changed, with, func(held []int) *algo.Step[C] {
		left := slices.Clone(ends)
		for _, part := range changed {
			if !slices.Contains(held, part) {
				left[part] = g.undone(part)
			}
		}
		if again := g.changed(left); !slices.Equal(again, held) {
			return g.join(left)
		}
		return g.then(g.edit(left, held), left)
	})
}

// unite looks for those of some changes, each interesting alone, that hold together:
// all if they do, else those of the first half, and what of the second holds with
// them. with returns the candidate that has the chosen ones, and reports whether it
// is worth a test; then gets the chosen ones, in order, at least one.
func unite[C any](changes []int, with func([]int) (C, bool), then func([]int) *algo.Step[C]) *algo.Step[C] {
	var add func(chosen, group []int, then func([]int) *algo.Step[C]) *algo.Step[C]
	add = func(chosen, group []int, then func([]int) *algo.Step[C]) *algo.Step[C] {
		both := slices.Concat(chosen, group)
		if len(group) == 0 || len(both) == 1 {
			return then(both)
		}
		apart := func() *algo.Step[C] {
			if len(group) == 1 {
				return then(chosen)
			}
			half := (len(group) + 1) / 2
			return add(chosen, group[:half], func(chosen []int) *algo.Step[C] { return add(chosen, group[half:], then) })
		}
		c, ok := with(both)
		if !ok {
			return apart()
		}
		return &algo.Step[C]{Candidate: c, Next: func(o algo.Outcome) *algo.Step[C] {
			if o == algo.Interesting {
				return then(both)
			}
			return apart()
		}}
	}
	return add(nil, changes, then)
}
