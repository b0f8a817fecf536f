package perses

import "whittle/parse"

type known = func(i int) (own, around uint64)

func (d *driver) fingerprints(base *candidate) *parse.Fingerprints {
	if d.last == nil || d.last.Of() != base {
		d.last = parse.NewFingerprints(base)
	}
	return d.last
}

// huge is the number of tokens above which failed questions are not recognised: fingerprints would take more memory
// than the tree.
const huge = 1 << 20

func (d *driver) known(of known) known {
	if len(d.tree.Tokens) > huge {
		return nil
	}
	return of
}

// knownItem: the question for an item changes when a use of a name in it is removed, such as the last one.
func (d *driver) knownItem(base *candidate, items []int32) known {
	return d.known(func(i int) (own, around uint64) {
		s := d.fingerprints(base)
		own = s.Siblings(items[i]) ^ s.Counts(items[i])
		return own, own ^ s.Contexts(items[i])
	})
}

func (d *driver) knownChoice(base *candidate, n int32, c choice) (own, around uint64) {
	s := d.fingerprints(base)
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

func (d *driver) knownRun(base *candidate, rows [][]int32) known {
	return d.known(func(i int) (own, around uint64) {
		own = d.fingerprints(base).Siblings(rows[i]...)
		return own, own
	})
}

func (d *driver) knownName(base *candidate, names []string, members map[string][]int32) known {
	return d.known(func(i int) (own, around uint64) {
		for _, n := range members[names[i]] {
			own = own*31 + d.fingerprints(base).Siblings(n)
		}
		return own, own
	})
}

func (d *driver) knownLevel(base *candidate, levels nest) known {
	return d.known(func(i int) (own, around uint64) {
		s := d.fingerprints(base)
		own = s.Without(levels[i], levels[min(i+1, len(levels)-1)])
		return own, own ^ s.Siblings(levels[i])
	})
}

func (d *driver) within(inner, outer []int32) bool {
	if inner == nil || outer == nil {
		return false
	}
	first, last := outer[0], outer[len(outer)-1]
	return first <= inner[0] && inner[len(inner)-1] < d.tree.Nodes[last].Next
}
