package deps

import (
	"path"
	"slices"
	"strings"

	"whittle/parse"
)

// A victim is a candidate that lacks something of its base.
type victim struct {
	*explorer
	base, c     *parse.Candidate
	tokenAt     func(place string) int // or -1
	late        bool                   // a reason may mean the fields of a class that it names
	onlyMembers bool                   // a reason means members of classes
	exact       bool                   // a reason means a member of the class of its second name
	again       bool                   // a reason has come before: it may mean the fields of a class that it names
}

func newVictim(h *explorer, base, c *parse.Candidate) *victim {
	return &victim{explorer: h, base: base, c: c, tokenAt: c.Finder()}
}

// first returns the first token of the base with a text, or -1.
func (v *victim) first(name string) int {
	for i, t := range v.tree.Tokens {
		if int(t.End-t.Start) == len(name) && v.text(i) == name && v.base.LiveToken(i) {
			return i
		}
	}
	return -1
}

func (v *victim) lacks(unit int32) bool {
	n := v.units[unit].node
	return v.base.Live(n) && !v.c.Live(n)
}

// gone returns a missing token of each name: the first in the function around an error, the first missing one in the
// class there, or the first in the file. So it finds local variables, and fields that use a type parameter.
func (v *victim) gone(unit int32, names []string) (tokens []int) {
	for _, name := range names {
		first := v.first(name)
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
			tokens = append(tokens, first)
		}
	}
	return tokens
}

func (v *victim) lacksToken(i int) bool { return i >= 0 && v.base.LiveToken(i) && !v.c.LiveToken(i) }

func (v *victim) text(i int) string {
	token := v.tree.Tokens[i]
	return string(v.tree.Source[token.Start:token.End])
}

// definitions returns missing units: for an error about a class its fields; else named implementations; else units
// with one of the names in a kept class that has one of the names or is around the error; else implementations for one
// of the names, if they are few; else in a base class of those; else in such a namespace; else the members without
// names of the unit with the error, if it has no such name; else any of the first name, if they are few, or
// files with it; else, if late, the fields of the first name.
func (v *victim) definitions(at int32, names []string) []int32 {
	if at >= 0 && (v.again && len(names) > 0 || v.units[at].body < 0 && v.isNamed(at, names[:min(len(names), 1)])) {
		if fields := v.fields(names[0]); len(fields) > 0 { // as for std::initializer_list, whose fields g++ requires
			return fields
		}
	}
	if members := v.exactly(names); len(members) > 0 {
		return members
	}
	named, implementing := v.implementations(names)
	if len(named) > 0 {
		return named
	}
	var around, found, nearby []int32
	for p := at; p >= 0; p = v.units[p].parent {
		around = append(around, p)
	}
	for _, u := range v.defining(names) {
		switch class, p := v.class[u], v.units[u].parent; {
		case !v.lacks(u):
		case class < 0 && p >= 0 && v.isFor(p, names):
			found = append(found, u)
		case class < 0 && p >= 0 && v.isNamed(p, names):
			nearby = append(nearby, u)
		case class < 0 || !v.c.Live(v.units[class].node):
		case slices.Contains(around, class) || v.isNamed(class, names):
			found = append(found, u)
		}
	}
	if len(found) == 0 && len(implementing) <= mostOfName {
		found = implementing
	}
	if len(found) == 0 {
		found = v.lost(append(v.defining(names), around...), names)
	}
	if len(found) > 0 || len(names) == 0 || v.onlyMembers {
		return found
	}
	if len(nearby) > 0 {
		return nearby
	}
	if content := v.content(at, names); len(content) > 0 {
		return content
	}
	all := v.defining(names[:1])
	if modules := v.modules(names[0]); len(all) == 0 && len(modules) > 0 {
		return modules
	}
	all = slices.DeleteFunc(all, func(u int32) bool { return !v.lacks(u) })
	if v.late && len(all) == 0 {
		return v.fields(names[0])
	}
	if len(all) > mostOfName {
		return nil
	}
	return all
}

// exactly returns the missing members with the first name in the class of the second name, as for "no type named 'type'
// in 'struct A<B>'". For an operator it returns those of all classes of the reason.
func (v *victim) exactly(names []string) (found []int32) {
	if !v.exact || len(names) < 2 {
		return nil
	}
	if parse.WordLen([]byte(names[0])) > 0 {
		found = slices.DeleteFunc(v.lost(v.defining(names[1:2]), names[:1]), v.constructs)
		if len(found) == 0 { // 'class A' has no member named 'b'
			found = slices.DeleteFunc(v.lost(v.defining(names[:1]), names[1:]), v.constructs)
		}
		return found
	}
	return v.operators(names[0], names[1:])
}

// operators returns the missing members of classes that overload an operator, or others that iterators need with it.
// If none is missing, it returns the missing constructors of the types that they mention: an operand needs conversion.
func (v *victim) operators(operator string, classes []string) (found []int32) {
	all, conversions := []string{operator}, []int32(nil)
	if slices.Contains(iteration, operator) {
		all = iteration
	}
	for _, class := range v.defining(classes) {
		for _, m := range v.units[class].members {
			switch {
			case !v.overloads(m, all):
			case v.lacks(m):
				found = append(found, m)
			default:
				for _, d := range v.mentioned(m) {
					conversions = append(conversions, v.units[d].members...)
				}
			}
		}
	}
	if len(found) == 0 {
		found = slices.DeleteFunc(conversions, func(m int32) bool { return !v.lacks(m) || !v.constructs(m) })
	}
	return found
}

// operatorAt returns the missing operators for an error at an operator, where clang names only the operands.
func (v *victim) operatorAt(token int, operands []string) []int32 {
	if token < 0 || parse.WordLen(v.text(token)) > 0 {
		return nil
	}
	return v.operators(v.text(token), operands)
}

// iteration has the operators that iterators need together.
var iteration = []string{"*", "++", "!=", "=="}

// comparisons are operators that operator<=> replaces.
var comparisons = []string{"<", ">", "<=", ">=", "==", "!="}

// overloads reports whether a unit overloads one of the operators.
func (v *victim) overloads(unit int32, operators []string) bool {
	n, node := v.units[unit].node, v.tree.Nodes[v.units[unit].node]
	isFunction := v.units[unit].callable || v.tree.Is(n, "friend_declaration")
	for i := int(node.First); isFunction && i+1 < int(node.Last); i++ {
		if v.text(i) == "operator" {
			return slices.ContainsFunc(operators, func(text string) bool {
				return strings.HasPrefix(text, v.text(i+1)) || // operator[] is two tokens
					v.text(i+1) == "<=>" && slices.Contains(comparisons, text)
			})
		}
	}
	return false
}

// content returns the missing members without names of a unit that has no token with one of the names. So the error is
// that code is missing there, such as a macro that defines the methods of an interface.
func (v *victim) content(at int32, names []string) (found []int32) {
	if at < 0 {
		return nil
	}
	node := v.tree.Nodes[v.units[at].node]
	for i := int(node.First); i < int(node.Last); i++ {
		if v.c.LiveToken(i) && slices.Contains(names, v.text(i)) {
			return nil
		}
	}
	for _, m := range v.units[at].members {
		if len(v.units[m].names) == 0 && v.lacks(m) {
			found = append(found, m)
		}
	}
	return found
}

// lost returns missing members with one of the names in units, else in the classes that they mention, as bases.
func (v *victim) lost(units []int32, names []string) (found []int32) {
	seen := make([]bool, len(v.units))
	for depth := 0; depth < mostBases && len(found) == 0; depth++ {
		var bases []int32
		for _, u := range units {
			if !v.c.Live(v.units[u].node) || v.isNamespace(v.units[u].node) {
				continue
			}
			for _, m := range v.units[u].members {
				if v.lacks(m) && v.isNamed(m, names) {
					found = append(found, m)
				}
			}
			for _, d := range v.mentioned(u) {
				if !seen[d] {
					seen[d], bases = true, append(bases, d)
				}
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

func (v *victim) isNamed(unit int32, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		id, known := v.ids[name]
		return known && slices.Contains(v.units[unit].names, id)
	})
}

// fields returns the missing members of a class that are no functions, with those of nameless members.
func (v *victim) fields(class string) (found []int32) {
	var add func(u int32)
	add = func(u int32) {
		for _, m := range v.units[u].members {
			if v.lacks(m) && !v.units[m].callable {
				found = append(found, m)
			}
			if len(v.units[m].names) == 0 {
				add(m)
			}
		}
	}
	for _, u := range v.defining([]string{class}) {
		add(u)
	}
	return found
}

// modules returns the missing files that have the name of a module, as sse2.rs and sse2/mod.rs.
func (v *victim) modules(name string) (found []int32) {
	for part, u := range v.reader.files.unit {
		file := v.tree.Parts[part].Path
		base := strings.TrimSuffix(path.Base(file), path.Ext(file))
		if u >= 0 && v.lacks(u) && (base == name || base == "mod" && path.Base(path.Dir(file)) == name) {
			found = append(found, u)
		}
	}
	return found
}

// unknown returns the name before a token, or the token, if all its definitions are missing.
func (v *victim) unknown(token int) []string {
	for i := token; i >= max(token-1, 0); i-- {
		units := v.defining([]string{v.text(i)})
		if len(units) > 0 && !slices.ContainsFunc(units, func(u int32) bool { return !v.lacks(u) }) {
			return []string{v.text(i)}
		}
	}
	return nil
}
