package perses

import "whittle/parse"

// known is [algo.List.Known].
type known = func(i int) (own, around uint64)

// census returns the census of base.
func (d *driver) census(base *candidate) *parse.Fingerprints {
	if d.last == nil || d.last.Of() != base {
		d.last = parse.NewFingerprints(base)
	}
	return d.last
}

// knownItem is [algo.List.Known] of items: an item is another question when a mention of
// what it mentions is gone, as a declaration is when its last use is.
func (d *driver) knownItem(base *candidate, items []int32) known {
	return func(i int) (own, around uint64) {
		s := d.census(base)
		own = s.Siblings(items[i]) ^ s.Counts(items[i])
		return own, own ^ s.Contexts(items[i])
	}
}

// knownChoice is [algo.List.Known] of a choice for node n.
func (d *driver) knownChoice(base *candidate, n int32, c choice) (own, around uint64) {
	s := d.census(base)
	switch {
	case c.run != nil:
		own = s.Replacement(n, c.run...)
	case c.weight == 0:
		own = s.Siblings(n) ^ s.Counts(n)
	default:
		own = ^s.Siblings(n)
	}
	return own, own ^ s.Contexts(n)
}

// knownRow is [algo.List.Known] of rows of siblings.
func (d *driver) knownRow(base *candidate, rows [][]int32) known {
	return func(i int) (own, around uint64) {
		own = d.census(base).Siblings(rows[i]...)
		return own, own
	}
}

// knownName is [algo.List.Known] of names, which are known by what mentions them.
func (d *driver) knownName(base *candidate, names []string, members map[string][]int32) known {
	return func(i int) (own, around uint64) {
		for _, n := range members[names[i]] {
			own = own*31 + d.census(base).Siblings(n)
		}
		return own, own
	}
}

// within reports whether a row of nodes stands in another.
func (d *driver) within(inner, outer []int32) bool {
	if inner == nil || outer == nil {
		return false
	}
	first, last := outer[0], outer[len(outer)-1]
	return first <= inner[0] && inner[len(inner)-1] < d.tree.Nodes[last].Next
}
