package rounds

import (
	"slices"

	"whittle/algo"
)

// together runs parts of a search that ask about the same base, and combines their changes: of rounds or batches.
//
//	base ──┬── part ? ? ? ──┬── all changes? ── then
//	       ├── part ? ? ? ──┤   or only a half, …
//	       └── part ? ? ? ──┘
//
// This costs a test for more than one change. The result of a part is an R.
type together[C, R any] struct {
	base   C
	allows func(base, c C) bool
	// changed returns the parts with a change, in order.
	changed func(ends []R) []int
	// edit returns the base with the changes of some parts, at least one.
	edit func(ends []R, some []int) C
	// undone returns the result of a part without its change.
	undone func(part int) R
	// then continues with base, which has all changes of the results.
	then func(base C, ends []R) *algo.Step[C]
}

// A part is a search that continues with end.
type part[C, R any] func(end func(R) *algo.Step[C]) *algo.Step[C]

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

// unite combines changes that are interesting separately: all of them if possible, else a combination of the first
// half, extended by changes of the second half. with also reports whether the candidate deserves a test. then gets the
// chosen changes in order, at least one.
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
