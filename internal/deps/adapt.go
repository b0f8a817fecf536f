package deps

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whittle/oracle"
)

// adapt learns from the reasons of a failure. A definition with an error goes, with its dependencies. Roots and
// definitions that an earlier failure needs stay, and the missing code of the reason is restored. Fields stay if their
// class lacks the named member. If this has no effect, the first reason with hidden statements or fields restores them.
// It restores only these, since one error may cause the others. of, the slice's victim, does not change.
func (s *slice) adapt(of *victim, at state, reasons []string) state {
	done, again, helped := false, *of, map[int32]bool{}
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
			if removed := s.removed(at, v, reason); goes && len(removed) > 0 {
				at.learned.needs, done, helped[u] = at.learned.needs.with(u, removed), true, true
			}
			if helped[u] { // one error causes others
				continue
			}
			v.onlyMembers, v.again = goes, s.seen[key(v, reason)]
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

// removed returns the definitions of a reason's first name that an earlier failure of a narrow slice removed. They come
// back, since others mention them.
func (s *slice) removed(at state, v *victim, reason string) []int32 {
	names := strings.Fields(reason)[1:]
	if !v.exact || len(names) == 0 {
		return nil
	}
	return slices.DeleteFunc(v.defining(names[:1]), func(u int32) bool {
		return !slices.Contains(at.learned.needs[unwanted], u) || at.learned.needs.have(u)
	})
}

// restore returns the slice with the missing code of the reasons, and the statements of functions with an error. If no
// code is missing, code with errors goes; if this has no effect, or all errors have come again, it changes as in narrow
// slices.
func (s *slice) restore(reasons []string) *slice {
	at, v, w := s.at, newVictim(s.explorer, s.at.base, s.c), *s
	again := true
	w.seen = map[string]bool{}
	for _, reason := range reasons {
		place, names, _ := strings.Cut(reason, " ")
		token := v.tokenAt(place)
		u := s.unitAt(token)
		same := key(v, reason)
		w.seen[same], again = true, again && s.seen[same]
		returns := s.lacksReturn(u, token, names)
		l := s.change(u, token)
		if l != (loosening{}) {
			w.changed(l)
		}
		if l.certain {
			continue
		}
		if s.isHopeless(v, u, strings.Fields(names)) {
			at.learned.needs = at.learned.needs.without(u).with(unwanted, []int32{u})
			continue
		}
		var items []int
		switch {
		case !s.inHead(u, token) || returns && s.at.learned.returning:
			items = s.hidden(at, u)
		case v.isNamed(u, []string{v.text(token)}): // as a reference that a constructor must initialize
			items = s.only("field_initializer_list", s.hidden(at, u))
		}
		at.pinned = at.with(items)
		at.learned.returning = at.learned.returning || returns
		var found bool
		v.late = false
		if at, found = s.add(at, v, reason); !found && len(items) == 0 {
			v.late = true
			at, _ = s.add(at, v, reason)
		}
	}
	changes := w.loose
	w.loose = s.loose
	if r := w.with(at); r.c.Weight() != s.c.Weight() || at.learned.returning != s.at.learned.returning {
		return r
	}
	adapted := w.with(s.adapt(v, s.at, reasons))
	if again || adapted.c.Weight() == s.c.Weight() {
		w.loose = changes
		return w.with(at)
	}
	return adapted
}

// lacksReturn reports whether an error without names may be that a function that is constexpr returns nothing.
func (s *slice) lacksReturn(u int32, token int, names string) bool {
	return names == "" && s.inHead(u, token) && s.isConstant(s.tree.Nodes[s.units[u].body].Parent)
}

// isHopeless reports whether an error is about the implementation of a trait, and no code that it names is missing. A
// derived or built-in implementation may be missing, for example.
func (s *slice) isHopeless(v *victim, u int32, names []string) bool {
	if len(names) == 0 || u < 0 || !s.isTrait(u) || s.isAround(u) {
		return false
	}
	named, _ := v.implementations(names)
	isLive := slices.ContainsFunc(v.defining(names[:1]), s.isLive)
	return isLive && len(named) == 0 && len(v.lost([]int32{u}, names)) == 0
}

// only returns the items of a kind.
func (s *slice) only(kind string, items []int) []int {
	return slices.DeleteFunc(items, func(i int) bool { return !s.tree.Is(s.nodes[i], kind) })
}

// withShown adds the errors that an interesting candidate shows, since they do not hinder the failure.
func (e experience) withShown(v *victim, reasons []string) experience {
	e.shown = maps.Clone(e.shown)
	if e.shown == nil {
		e.shown = map[string]bool{}
	}
	for _, reason := range reasons {
		if !strings.HasPrefix(reason, oracle.Clue) {
			e.shown[key(v, reason)] = true
		}
	}
	return e
}

// others returns the reasons without errors that interesting candidates show.
func (e experience) others(v *victim, reasons []string) []string {
	return slices.DeleteFunc(slices.Clone(reasons), func(reason string) bool { return e.shown[key(v, reason)] })
}

// key identifies an error in several candidates.
func key(v *victim, reason string) string {
	place, names, _ := strings.Cut(reason, " ")
	return fmt.Sprint(v.tokenAt(place), names)
}

// inHead reports whether a token is before the body and the initializers of a function.
func (s *slice) inHead(u int32, token int) bool {
	if u < 0 || s.units[u].body < 0 {
		return false
	}
	first := s.units[u].body
	for _, n := range s.initializers(s.at.base, first) {
		first = min(first, n)
	}
	return token < int(s.tree.Nodes[first].First)
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
			next = append(next, s.mentioned(u)...)
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

// isBinding reports whether a declaration is as auto [a, b] = c.
func (s *slice) isBinding(n int32) bool {
	d := s.tree.Child(n, "declarator")
	return d > n && (s.tree.Is(d, "structured_binding_declarator") || s.isBinding(d))
}
