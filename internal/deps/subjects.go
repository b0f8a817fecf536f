package deps

import (
	"maps"
	"slices"
	"strings"

	"whittle/parse"
)

// A dependent is a unit that waits for a subject, mentioned so many times.
type dependent struct{ unit, times int32 }

type member struct{ class, name int32 }

// subjectsOf finds the subjects of each unit, without which it is not required. A unit without names has all names that
// it mentions. One of several definitions of a name has its parameters, its receiver, or the type that it specialises:
// a call refers to the definition whose subjects exist.
//
//	bool operator==(path, path);          for path
//	struct hash<error_code> { … };        for error_code
//	func (x *operand) String() string …   for operand
//	template <class T> T move(T);         for anything
func (r *reader) subjectsOf() {
	r.subjects, r.waiting = make([]int32, len(r.units)), make([][]dependent, len(r.define))
	r.class = make([]int32, len(r.units))
	global, members := make([]bool, len(r.define)), map[member]bool{}
	for i := range r.units {
		u := &r.units[i]
		if r.class[i] = u.parent; u.parent >= 0 && (r.units[u.parent].open || r.isNamespace(r.units[u.parent].node)) {
			r.class[i] = -1
		}
		for _, name := range u.names {
			global[name] = global[name] || r.class[i] < 0 // members come with their class
			members[member{r.class[i], name}] = true
		}
	}
	for i := range r.units {
		u := &r.units[i]
		times := map[int32]int32{}
		switch {
		case u.operator:
		case len(u.names) == 0 && u.body < 0:
			for _, m := range u.mentions {
				times[m.name]++
			}
		case len(u.names) == 0 || slices.ContainsFunc(u.names, func(name int32) bool { return len(r.define[name]) > 1 }):
			for _, name := range r.about(u.node, nil) {
				if global[name] && !r.hasName(i, name) && !r.isMemberAround(int32(i), name, members) {
					times[name] = 1
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(times)) {
			n := times[name]
			r.subjects[i] += n
			r.waiting[name] = append(r.waiting[name], dependent{int32(i), n})
		}
	}
}

func (r *reader) isMemberAround(i, name int32, members map[member]bool) bool {
	for i = r.class[i]; i >= 0; i = r.class[i] {
		if members[member{i, name}] {
			return true
		}
	}
	return false
}

// about adds the names in a definition's parameters, scope and specialised type.
func (r *reader) about(n int32, names []int32) []int32 {
	for d := range r.parts(n) {
		switch field := r.tree.Field(d); {
		case r.tree.IsLeaf(d) && field != "scope":
		case field == "scope" || field == "arguments":
			names = r.mentionedIn(d, names)
		case field == "receiver" || field == "parameters" && !strings.Contains(r.tree.Kind(d), "template"):
			for p := range r.parts(d) {
				if typ := r.tree.Child(p, "type"); typ >= 0 && r.tree.Child(p, "default_value") < 0 {
					names = r.mentionedIn(typ, names)
				}
			}
		case slices.Contains(naming, field) || r.essence[d] ||
			field == "" && strings.HasSuffix(r.tree.Kind(n), "declarator"):
			names = r.about(d, names)
		}
	}
	return names
}

func (r *reader) mentionedIn(n int32, names []int32) []int32 {
	for d := n; d < r.tree.Nodes[n].Next; d++ {
		if !r.tree.IsLeaf(d) || !r.tree.Nodes[d].Named || r.tree.Nodes[d].Comment || !r.base.Live(d) {
			continue
		}
		for _, word := range parse.Words(r.base.TextOf(d)) {
			if id, known := r.ids[word]; known {
				names = append(names, id)
			}
		}
	}
	return names
}
