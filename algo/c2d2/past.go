package c2d2

import "whittle/algo"

// A set has one bit for each item.
type set []uint64

func newSet(items int, kept []int) set {
	s := make(set, (items+63)/64)
	for _, item := range kept {
		s[item/64] |= 1 << (item % 64)
	}
	return s
}

func (s set) places(list []int) []int {
	var places []int
	for place, item := range list {
		if s[item/64]&(1<<(item%64)) != 0 {
			places = append(places, place)
		}
	}
	return places
}

func (s set) in(other set) bool {
	for i, word := range s {
		if word&^other[i] != 0 {
			return false
		}
	}
	return true
}

// A past lists the questions so far, the last first.
type past struct {
	kept    set
	outcome algo.Outcome
	before  *past
}

func (p *past) asked(kept set) bool {
	for ; p != nil; p = p.before {
		if kept.in(p.kept) && p.kept.in(kept) {
			return true
		}
	}
	return false
}

// fails reports whether a superset was uninteresting. By monotony, so is the set (§3.1).
func (p *past) fails(kept set) bool {
	for ; p != nil; p = p.before {
		if p.outcome == algo.Uninteresting && kept.in(p.kept) {
			return true
		}
	}
	return false
}
