package deps

import (
	"slices"
	"strings"
)

// adapt learns from the reasons of a failure. A definition with an error goes, with its dependencies. Roots and
// definitions that an earlier failure needs stay, and the missing code of the reason is restored. Fields stay if their
// class lacks the named member. If this has no effect, the first reason with hidden statements or fields restores them.
// It restores only these, since one error may cause the others. of, the slice's victim, does not change.
func (s *slice) adapt(of *victim, at state, reasons []string) state {
	done, again := false, *of
	v := &again
	v.late, v.onlyMembers = false, false
	for range 2 {
		for _, reason := range reasons {
			if done && v.late {
				break
			}
			place, _, _ := strings.Cut(reason, " ")
			u := s.unitAt(v.tokenAt(place))
			goes := u >= 0 && !s.isAround(u) && !s.at.learned.needs.have(u)
			v.onlyMembers = goes
			items, found := s.hidden(at, u), false
			if v.late && len(items) == 0 {
				items = s.hiddenBehind(at, v.defining(strings.Fields(reason)[1:]))
			}
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

// restore returns the slice with the missing code of the reasons, and the statements of functions with an error. If
// no code is missing, code with errors goes.
func (s *slice) restore(reasons []string) *slice {
	at, v := s.at, newVictim(s.explorer, s.at.base, s.c)
	for _, reason := range reasons {
		place, _, _ := strings.Cut(reason, " ")
		items := s.hidden(at, s.unitAt(v.tokenAt(place)))
		at.pinned = at.with(items)
		var found bool
		v.late = false
		if at, found = s.add(at, v, reason); !found && len(items) == 0 {
			v.late = true
			at, _ = s.add(at, v, reason)
		}
	}
	if r := s.with(at); r.c.Weight() != s.c.Weight() {
		return r
	}
	return s.with(s.adapt(v, s.at, reasons))
}

// hidden returns the missing statements of a function. For a root it returns nil.
func (s *slice) hidden(at state, unit int32) (items []int) {
	if unit < 0 || slices.Contains(s.roots, unit) {
		return nil
	}
	n := s.units[unit].node
	for i, _ := slices.BinarySearch(s.nodes, n); i < len(s.nodes) && s.contains(n, s.nodes[i]); i++ {
		if !slices.Contains(at.pinned, i) {
			items = append(items, i)
		}
	}
	return items
}

// hiddenBehind returns the missing statements of the functions next to some units: the type of a function may depend on
// them. It looks at each unit once, since overloads mention each other.
func (s *slice) hiddenBehind(at state, units []int32) (items []int) {
	seen := map[int32]bool{}
	for depth := 0; depth < mostBases && len(items) == 0; depth++ {
		var next []int32
		for _, u := range units {
			if seen[u] || !s.c.Live(s.units[u].node) || s.isNamespace(s.units[u].node) {
				continue
			}
			seen[u] = true
			items = append(items, s.hidden(at, u)...)
			for _, m := range s.units[u].mentions {
				next = append(next, s.define[m.name]...)
			}
		}
		units = next
	}
	slices.Sort(items)
	return slices.Compact(items)
}

// isAround reports whether a unit has a root, is a namespace or a file.
func (s *slice) isAround(unit int32) bool {
	n := s.units[unit].node
	return s.isNamespace(n) || s.isFile(n) ||
		slices.ContainsFunc(s.roots, func(r int32) bool { return s.contains(n, s.units[r].node) })
}
