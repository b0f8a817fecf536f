package deps

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"whittle/parse"
)

func (r *reader) defined(n int32) (ids []int32) {
	for _, name := range r.namesOf(n) {
		id, known := r.ids[name]
		if !known {
			id = int32(len(r.ids))
			r.ids[name] = id
		}
		if !slices.Contains(ids, id) { // a syntax error may join definitions
			ids = append(ids, id)
		}
	}
	return ids
}

func (r *reader) namesOf(n int32) (names []string) {
	if list := r.tree.Child(n, "list"); list >= 0 && r.tree.Is(n, "scoped_use_list") { // not the name of its path
		for d := range r.parts(list) {
			if r.tree.Is(d, "scoped_use_list") {
				names = append(names, r.namesOf(d)...)
			} else {
				names = r.name(d, names)
			}
		}
		return names
	}
	first := true
	for _, field := range r.tree.Kinds(n) { // as an enumerator
		if !first && slices.Contains(naming, field) {
			return r.name(n, nil)
		}
		first = false
	}
	if r.tree.Kind(n) == "" && !r.isBraced(n) { // joined siblings, as in a syntax error
		for d := range r.parts(n) {
			if !r.tree.IsLeaf(d) {
				names = append(names, r.namesOf(d)...)
			}
		}
		return names
	}
	only := r.onlyPart(n)
	itself := slices.ContainsFunc(naming, func(field string) bool { return r.tree.Child(n, field) >= 0 })
	for d := range r.parts(n) {
		switch field := r.tree.Field(d); {
		case slices.Contains(naming, field):
			names = r.name(d, names)
		case r.tree.IsLeaf(d):
		case field == "type" && (r.tree.Child(d, "body") >= 0 || // struct s { } x
			!itself && strings.HasSuffix(r.tree.Kind(d), "_specifier")): // a member struct s;
			names = append(names, r.namesOf(d)...)
		case slices.Contains(defining, field) && // no attribute or base class
			(field != "" || !itself && (d == only || !r.tree.Nodes[d].Slot.Droppable())),
			field == "body" && !itself && !r.isBraced(d): // extern "C" int f();
			r.essence[d] = true
			names = append(names, r.namesOf(d)...)
		}
	}
	return names
}

// outer returns the name of the scope of a qualified definition, as A in void A::f() { }, or -1.
func (r *reader) outer(n int32) int32 {
	scope := int32(-1)
	for before := int32(-1); n > before; {
		if d := r.tree.Child(n, "scope"); d >= 0 {
			for _, name := range r.name(d, nil) {
				if id, known := r.ids[name]; known {
					scope = id
				}
			}
		}
		before, n = n, -1
		for _, field := range naming {
			n = max(n, r.tree.Child(before, field))
		}
		part := r.onlyPart(before)
		if n < 0 && part >= 0 && (r.essence[part] || strings.HasSuffix(r.tree.Kind(before), "declarator")) {
			n = part
		}
	}
	return scope
}

// name adds the name in a naming field: from further naming fields, else the first child with children, else the last
// word.
func (r *reader) name(n int32, names []string) []string {
	if r.namesFile(n) {
		return names
	}
	if !r.tree.IsLeaf(n) {
		nodes := r.tree.Nodes
		part, word, found := int32(-1), int32(-1), false
		for d := n + 1; d < nodes[n].Next; d = nodes[d].Next {
			if !r.base.Live(d) || nodes[d].Comment {
				continue
			}
			field := r.tree.Field(d)
			switch {
			case slices.Contains(naming, field):
				names, found = r.name(d, names), true
			case field != "":
			case !r.tree.IsLeaf(d) && part < 0:
				part = d
			case r.tree.IsLeaf(d) && (nodes[d].Named || word < 0 || !nodes[word].Named):
				word = d
			}
		}
		switch {
		case found:
			return names
		case part >= 0:
			return r.name(part, names)
		case word < 0:
			return names
		}
		n = word
	}
	text := string(r.base.TextOf(n))
	if text == r.tree.Kind(n) && len(parse.Words([]byte(text))) > 0 {
		return names // a keyword
	}
	if words := parse.Words([]byte(text)); len(words) > 0 {
		text = words[len(words)-1]
	} else if len(text) < 2 || text == "[]" || text == "()" { // too frequent operators
		return names
	}
	return append(names, text)
}

// mentioned returns the units that a unit mentions, with repetitions.
func (r *reader) mentioned(unit int32) (units []int32) {
	for _, m := range r.units[unit].mentions {
		units = append(units, r.define[m.name]...)
	}
	return units
}

// qualified identifies a namespace.
func (r *reader) qualified(u int32) (name string) {
	for ; u >= 0; u = r.units[u].parent {
		name += fmt.Sprint(r.units[u].names)
	}
	return name
}

// firstUnit returns the first unit at or after a node.
func (r *reader) firstUnit(n int32) int {
	return sort.Search(len(r.units), func(u int) bool { return r.units[u].node >= n })
}
