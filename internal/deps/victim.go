package deps

import (
	"fmt"
	"slices"
	"strings"

	"whittle/parse"
)

// A victim is a candidate that lacks something of its base.
type victim struct {
	*explorer
	base, c *parse.Candidate
	firsts  map[string]int // the first tokens of names, or -1
	places  map[string]func(line, column int) int
	stage   stage
}

// A stage is a kind of definitions that a reason may mean.
type stage int

const (
	named   stage = iota // with a name of the reason
	fields               // and fields of its classes
	members              // and all members of its classes and of their bases
)

func newVictim(h *explorer, base, c *parse.Candidate, reasons []string) *victim {
	v := &victim{explorer: h, base: base, c: c, firsts: map[string]int{}, places: map[string]func(line, column int) int{}}
	for _, reason := range reasons {
		for _, name := range strings.Fields(reason)[1:] {
			v.firsts[name] = -1
		}
	}
	for i := range v.tree.Tokens {
		if first, wanted := v.firsts[v.text(i)]; wanted && first < 0 && base.LiveToken(i) {
			v.firsts[v.text(i)] = i
		}
	}
	return v
}

func (v *victim) lacks(unit int32) bool {
	n := v.units[unit].node
	return v.base.Live(n) && !v.c.Live(n)
}

// tokenAt returns the token at a place, or -1.
func (v *victim) tokenAt(place string) int {
	var line, column int
	file, where, _ := strings.Cut(place, ":")
	if n, _ := fmt.Sscanf(where, "%d:%d", &line, &column); n == 0 {
		return -1
	}
	if v.places[file] == nil {
		v.places[file] = v.c.Places(file)
	}
	return v.places[file](line, column)
}

// gone returns a missing token for the error at a place, or -1: the first token of a name in the function there, the
// first missing one in the class there, the first in the file, or if no name is defined, the last missing token near
// before the place. So it finds local variables, fields that use a type parameter, and definitions in code that the
// parser does not understand.
func (v *victim) gone(unit int32, place int, names []string) int {
	for _, name := range names {
		first := v.firsts[name]
		if unit >= 0 {
			node, local := v.tree.Nodes[v.units[unit].node], v.units[unit].body >= 0
			for i := int(node.First); i < int(node.Last); i++ {
				if v.base.LiveToken(i) && v.text(i) == name && (local || v.lacksToken(i)) {
					first = i
					break
				}
			}
		}
		if v.lacksToken(first) {
			return first
		}
	}
	if slices.ContainsFunc(names, v.isKept) {
		return -1
	}
	for i := place; i >= max(place-near, 0); i-- { // empty for -1
		if v.lacksToken(i) {
			return i
		}
	}
	return -1
}

func (v *victim) isDefined(name string) bool { _, defined := v.ids[name]; return defined }

// wordsBefore returns the kept words near before a token, the last first.
func (v *victim) wordsBefore(token int) (words []string) {
	for i := token - 1; i >= max(token-near, 0) && v.text(i) != ";"; i-- {
		if v.c.LiveToken(i) && parse.WordLen([]byte(v.text(i))) > 0 {
			words = append(words, v.text(i))
		}
	}
	return words
}

// isKept reports whether a definition of a name is kept.
func (v *victim) isKept(name string) bool {
	id, known := v.ids[name]
	return known && slices.ContainsFunc(v.define[id], func(u int32) bool { return v.c.Live(v.units[u].node) })
}

func (v *victim) lacksToken(i int) bool { return i >= 0 && v.base.LiveToken(i) && !v.c.LiveToken(i) }

func (v *victim) text(i int) string {
	token := v.tree.Tokens[i]
	return string(v.tree.Source[token.Start:token.End])
}

// definitions returns missing units with one of the names: in a kept class that has one of the names or is around the
// error; else in a base class of those; else in such a namespace; else any of the first name, if they are few. At later
// stages, else the fields of the first name, unless the names include a kept member, and all members.
func (v *victim) definitions(at int32, names []string) []int32 {
	var around, found, nearby []int32
	for p := at; p >= 0; p = v.units[p].parent {
		around = append(around, p)
	}
	hasMember := false
	for _, u := range v.defining(names) {
		switch class, p, lacks := v.class[u], v.units[u].parent, v.lacks(u); {
		case class >= 0 && !lacks:
			hasMember = hasMember || v.isNamed(class, slices.DeleteFunc(slices.Clone(names), func(name string) bool {
				return v.isNamed(u, []string{name}) // a constructor
			}))
		case class >= 0:
			if v.c.Live(v.units[class].node) && (slices.Contains(around, class) || v.isNamed(class, names)) {
				found = append(found, u)
			}
		case p >= 0 && lacks && v.isNamed(p, names):
			nearby = append(nearby, u)
		}
	}
	if len(found) == 0 {
		found = v.lost(append(v.defining(names), around...), true, func(m int32) bool {
			return v.isNamed(m, names) || v.isOperator(m, names)
		})
	}
	if len(found) == 0 {
		found = nearby
	}
	if len(found) > 0 || len(names) == 0 {
		return found
	}
	if all := v.missing(names[:1]); 0 < len(all) && len(all) <= mostOfName {
		return all
	}
	if v.stage >= fields && !hasMember {
		found = v.fields(names[0])
	}
	if v.stage == members && len(found) == 0 {
		found = v.lost(v.defining(names), false, func(int32) bool { return true })
	}
	return found
}

// lost returns missing members of units and of the classes that they mention, directly or indirectly, as bases; only of
// the nearest if nearest is set.
func (v *victim) lost(units []int32, nearest bool, wanted func(member int32) bool) (found []int32) {
	seen := map[int32]bool{}
	for depth := 0; depth < mostBases && !(nearest && len(found) > 0); depth++ {
		var bases []int32
		for _, u := range units {
			if seen[u] || v.isNamespace(v.units[u].node) || !v.c.Live(v.units[u].node) {
				continue
			}
			seen[u] = true
			for _, m := range v.units[u].members {
				if v.lacks(m) && wanted(m) {
					found = append(found, m)
				}
			}
			for _, m := range v.units[u].mentions {
				bases = append(bases, v.define[m.name]...)
			}
		}
		units = bases
	}
	return found
}

// defining returns the units with one of the names that the base has, without whole namespaces.
func (v *victim) defining(names []string) (units []int32) {
	for _, name := range names {
		if id, known := v.ids[name]; known {
			for _, u := range v.define[id] {
				if v.base.Live(v.units[u].node) && (len(v.units[u].members) == 0 || !v.isNamespace(v.units[u].node)) {
					units = append(units, u)
				}
			}
		}
	}
	return units
}

func (v *victim) missing(names []string) []int32 {
	return slices.DeleteFunc(v.defining(names), func(u int32) bool { return !v.lacks(u) })
}

func (v *victim) isNamed(unit int32, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		id, known := v.ids[name]
		return known && slices.Contains(v.units[unit].names, id)
	})
}

// isOperator reports whether a unit without a name defines the operator that is the first of the names.
func (v *victim) isOperator(unit int32, names []string) bool {
	n := v.tree.Nodes[v.units[unit].node]
	for i := int(n.First); i+1 < int(n.Last) && len(v.units[unit].names) == 0 && len(names) > 0; i++ {
		if v.text(i) == "operator" {
			operator := v.text(i + 1)
			return operator == names[0] || i+2 < int(n.Last) && operator+v.text(i+2) == names[0]
		}
	}
	return false
}

// fields returns the missing members of a class that are no functions.
func (v *victim) fields(class string) (found []int32) {
	id, known := v.ids[class]
	if !known {
		return nil
	}
	for _, u := range v.define[id] {
		for _, m := range v.units[u].members {
			if v.class[m] == u && v.lacks(m) && !v.units[m].callable {
				found = append(found, m)
			}
		}
	}
	return found
}
