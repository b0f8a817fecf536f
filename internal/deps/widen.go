package deps

import (
	"maps"
	"slices"

	"whittle/parse"
)

// wider returns the slice with all statements of its functions, the fields and constructors of their classes, and the
// code that mentions the functions: a compiler may ignore unused ones, and empty classes may hide the failure. For a
// narrow slice it returns one with the fields that mention only members, also with the code that mentions it, and one
// with all fields. It leaves out slices that are not larger.
func (s *slice) wider(t progress) []*slice {
	if !s.full {
		return s.deeper(t)
	}
	places := s.users(t.base)
	for _, f := range s.roots {
		places[f] = nil
	}
	return s.widened(t, places, s.members())
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
	all := s.members()
	isType := func(d int32) bool { return s.class[d] < 0 }
	light := slices.DeleteFunc(slices.Clone(all), func(u int32) bool {
		return slices.ContainsFunc(s.units[u].mentions, func(m mention) bool {
			return slices.ContainsFunc(s.define[m.name], isType)
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
	w.marks, w.loose = s.marks, s.loose
	at := s.at
	at.pinned = nil
	for _, item := range s.at.pinned {
		if i, in := slices.BinarySearch(w.nodes, s.nodes[item]); in {
			at.pinned = append(at.pinned, i)
		}
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

// members returns the fields and constructors of classes that the roots mention.
func (s *slice) members() (found []int32) {
	for i := range s.units {
		class := s.class[i]
		if class >= 0 && (!s.units[i].callable || s.constructs(int32(i))) && slices.ContainsFunc(s.roots, func(r int32) bool {
			return slices.ContainsFunc(s.units[r].mentions, func(m mention) bool {
				return s.c.Live(m.node) && slices.Contains(s.units[class].names, m.name)
			})
		}) {
			found = append(found, int32(i))
		}
	}
	return found
}
