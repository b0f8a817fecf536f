package deps

import (
	"slices"
	"strings"
)

// adapt learns from the reasons of a failure. Code with an error goes, and with it the need for more code. It stays if
// it is a root, or if an earlier failure needs it; then the missing code that the reason names comes back. Fields also
// stay if a class lacks the named member. If no reason has an effect, the first with hidden statements or fields brings
// these back, but no other, since more errors may follow from it.
func (s *slice) adapt(reasons []string) state {
	at, done := s.at, false
	v := newVictim(s.explorer, at.base, s.c, reasons)
	for range 2 {
		for _, reason := range reasons {
			if done && v.late {
				break
			}
			place, _, _ := strings.Cut(reason, " ")
			u := s.unitAt(v.tokenAt(place))
			goes := u >= 0 && !s.isNeeded(u)
			v.onlyMembers = goes
			items, found := s.hidden(at, u), false
			if v.late && !goes && len(items) > 0 {
				at.pinned, found = at.with(items), true
			} else if !goes || slices.Contains(s.fields, u) {
				at, found = s.add(at, v, reason)
			}
			if goes && !found {
				at.learned.needs, found = at.learned.needs.with(unwanted, []int32{u}), true
			}
			done = done || found
		}
		if v.late = true; done {
			break
		}
	}
	return at
}

// hidden returns the missing statements of a function; none of a root.
func (s *slice) hidden(at state, unit int32) (items []int) {
	if unit < 0 || slices.Contains(s.roots, unit) {
		return nil
	}
	node := s.units[unit].node
	for i, n := range s.nodes {
		if node <= n && n < s.tree.Nodes[node].Next && !slices.Contains(at.pinned, i) {
			items = append(items, i)
		}
	}
	return items
}

// isNeeded reports whether a unit has a root, is a namespace or a file, or is needed.
func (s *slice) isNeeded(unit int32) bool {
	n := s.units[unit].node
	isAround := func(r int32) bool { return n <= s.units[r].node && s.units[r].node < s.tree.Nodes[n].Next }
	return s.isNamespace(n) || s.isFile(n) || s.at.learned.needs.have(unit) || slices.ContainsFunc(s.roots, isAround)
}
