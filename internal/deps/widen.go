package deps

import (
	"maps"
	"slices"

	"whittle/algo"
	"whittle/parse"
)

// wider returns the slice with all statements of its functions, the fields and constructors of their classes, and the
// code that mentions the functions: a compiler may ignore unused ones, and empty classes may hide the failure. The next
// one has the fields, constructors and specializations of all its classes. For a narrow slice it returns one with the
// fields and constructors that mention only members or their class, also with the code that mentions it, and one with
// all of them. It leaves out slices that are not larger.
func (s *slice) wider(t progress) []*slice {
	if !s.full {
		return s.deeper(t)
	}
	places := s.users(t.base)
	for _, f := range s.roots {
		places[f] = nil
	}
	if s.fields == nil {
		return s.widened(t, places, s.members(s.isMentioned))
	}
	return s.widened(t, places, append(s.members(s.isLive), s.specializations()...))
}

// users returns the places that mention the roots from outside, unless they are many.
func (s *slice) users(base *parse.Candidate) map[int32][]int {
	places := map[int32][]int{}
	for _, f := range s.roots {
		for i := range int32(len(s.units)) {
			if at := s.calls(base, i, f); len(at) > 0 && !slices.Contains(s.roots, i) {
				places[i] = append(places[i], at...)
			}
		}
	}
	if len(places) > mostOfName {
		clear(places)
	}
	return places
}

// deeper returns the wider slices of a narrow one, which is widened once.
func (s *slice) deeper(t progress) []*slice {
	if s.fields != nil {
		return nil
	}
	all := s.members(s.isMentioned)
	isType := func(d int32) bool { return s.class[d] < 0 }
	light := slices.DeleteFunc(slices.Clone(all), func(u int32) bool {
		return slices.ContainsFunc(s.units[u].mentions, func(m mention) bool {
			return slices.ContainsFunc(s.define[m.name], isType) && !slices.Contains(s.units[s.class[u]].names, m.name)
		})
	})
	more := s.widened(t, s.places, light)
	if len(light) < len(all) {
		more = append(more, s.widened(t, s.places, all)...)
	}
	if users := s.users(t.base); len(users) > 0 {
		maps.Copy(users, s.places)
		more = append(more, s.widened(t, users, light)...)
	}
	return more
}

// widened returns the slice with other places and fields, unless it is not larger.
func (s *slice) widened(t progress, places map[int32][]int, fields []int32) []*slice {
	w := s.newSlice(t, places, fields, s.extent)
	w.marks, w.loose, w.certain, w.firm, w.yields = s.marks, s.loose, s.certain, s.firm, s.yields
	if s.full { // the calls in callers stay
		w.marks = maps.Clone(places)
		maps.Copy(w.marks, s.marks)
	} else { // constructors may have been missing
		w.loose = parse.Others(s.loose, s.inRoots())
	}
	at := s.at
	at.pinned = nil
	for _, item := range s.at.pinned {
		if i, in := slices.BinarySearch(w.nodes, s.nodes[item]); in {
			at.pinned = append(at.pinned, i)
		}
	}
	if s.full && s.fields != nil {
		at.pinned = at.with(slices.DeleteFunc(w.only("field_initializer_list", algo.All(len(w.nodes))), func(i int) bool {
			return !w.isConstant(w.tree.Nodes[w.nodes[i]].Parent)
		}))
	}
	if w = w.with(at); w.c.Weight() > s.c.Weight() {
		return []*slice{w}
	}
	return nil
}

// calls returns the tokens by which a unit mentions a function, or the outermost class of a field. A unit mentions a
// member if it is in the same class, or mentions the class.
func (s *slice) calls(base *parse.Candidate, unit, function int32) (places []int) {
	f, class := &s.units[function], s.class[function]
	for ; f.body < 0 && class >= 0; class = s.class[class] {
		f = &s.units[class]
	}
	isNear := class < 0 || s.class[unit] == class
	if s.contains(f.node, s.units[unit].node) || s.contains(s.units[unit].node, f.node) {
		return nil
	}
	for _, m := range s.units[unit].mentions {
		if base.Live(m.node) && slices.Contains(f.names, m.name) && !s.hasName(int(unit), m.name) {
			places = append(places, int(s.tree.Nodes[m.node].First))
		}
		isNear = isNear || slices.Contains(s.units[class].names, m.name)
	}
	if !isNear {
		return nil
	}
	return places
}

// members returns the fields and constructors of some classes.
func (s *slice) members(of func(class int32) bool) (found []int32) {
	for i := range s.units {
		if s.class[i] >= 0 && (!s.units[i].callable || s.constructs(int32(i))) && of(s.class[i]) {
			found = append(found, int32(i))
		}
	}
	return found
}

// specializations returns the other definitions of types in the slice.
func (s *slice) specializations() (found []int32) {
	for i := range s.units {
		n := s.units[i].node
		if part := s.onlyPart(n); part >= 0 && s.essence[part] {
			n = part
		}
		if s.units[i].body < 0 && s.tree.Child(n, "body") >= 0 && !s.isNamespace(n) && s.hasOther(int32(i)) {
			found = append(found, int32(i))
		}
	}
	return found
}

// hasOther reports whether the slice has another definition of a name.
func (s *slice) hasOther(unit int32) bool {
	return slices.ContainsFunc(s.units[unit].names, func(name int32) bool {
		return slices.ContainsFunc(s.define[name], func(d int32) bool {
			return d != unit && s.class[d] == s.class[unit] && s.isLive(d)
		})
	})
}

func (s *slice) isLive(unit int32) bool { return s.c.Live(s.units[unit].node) }

// isMentioned reports whether the roots mention a class.
func (s *slice) isMentioned(class int32) bool {
	return slices.ContainsFunc(s.roots, func(r int32) bool {
		return slices.ContainsFunc(s.units[r].mentions, func(m mention) bool {
			return s.c.Live(m.node) && slices.Contains(s.units[class].names, m.name)
		})
	})
}
