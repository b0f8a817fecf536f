package deps

import (
	"slices"

	"whittle/parse"
)

// implementations returns the missing implementations of traits for one of the names. Those of a trait with one of the
// names for the type in the reason are named, and uses of macros as impl_all!(Num for i8 i16). Without any, these
// implement the trait with the first name for other types, or for types without names if they are many.
func (v *victim) implementations(names []string) (named, all []int32) {
	var others, best []int32
	most := 0
	for u := range int32(len(v.units)) {
		n := v.units[u].node
		trait := v.tree.Child(n, "trait")
		switch words, fits := v.implementing(n, names); {
		case !v.lacks(u):
		case v.mayDefine(u, names):
			named = append(named, u)
		case trait < 0:
		case v.mentions(trait, names):
			if fits && words > most {
				best, most = nil, words
			}
			if fits && words == most {
				best = append(best, u)
			}
			if v.mentions(trait, names[:1]) {
				others = append(others, u)
			}
		case v.isFor(u, names):
			all = append(all, u)
		}
	}
	switch {
	case most > 0:
		named = append(named, best...)
	case len(named) > 0:
	case len(others) <= mostOfName:
		named = others
	default:
		named = best
	}
	return named, all
}

// implementing returns the number of words in the type of an implementation, as 2 in impl Stream for (I, usize). It
// reports whether they are among the names, or are type parameters. Arguments, arrays and lifetimes do not count.
func (v *victim) implementing(n int32, names []string) (words int, fit bool) {
	typ, parameters := v.tree.Child(n, "type"), v.tree.Child(n, "type_parameters")
	for d := typ; d >= 0 && d < v.tree.Nodes[typ].Next; d++ {
		switch kind := v.tree.Kind(d); {
		case kind == "type_arguments" || kind == "array_type" || kind == "lifetime":
			d = v.tree.Nodes[d].Next - 1
		case !v.tree.IsLeaf(d) || parse.WordLen(v.base.TextOf(d)) == 0:
		case slices.Contains(names, string(v.base.TextOf(d))):
			words++
		case parameters < 0 || !v.mentions(parameters, []string{string(v.base.TextOf(d))}):
			return 0, false
		}
	}
	return words, typ >= 0
}

// isMacro reports whether a definition is the use of a macro, in Rust.
func (v *victim) isMacro(n int32) bool {
	return v.tree.Is(n, "macro_invocation") || v.tree.Is(n, "expression_statement") && v.tree.Is(n+1, "macro_invocation")
}

// mayDefine reports whether the use of a macro may define the first name: it has another name, too, or no other code
// defines the first one.
func (v *victim) mayDefine(unit int32, names []string) bool {
	n := v.units[unit].node
	if len(names) == 0 || !v.isMacro(n) || !v.expands(unit, names[:1]) {
		return false
	}
	if len(names) > 1 && v.mentions(n, names) && v.expands(unit, names[1:]) {
		return true
	}
	return !slices.ContainsFunc(v.defining(names[:1]), func(d int32) bool { return !v.isImport(v.units[d].node) })
}

// expands reports whether the use of a macro, or the macro, has one of the names.
func (v *victim) expands(unit int32, names []string) bool {
	return v.mentions(v.units[unit].node, names) || slices.ContainsFunc(v.units[unit].mentions, func(m mention) bool {
		return slices.ContainsFunc(v.define[m.name], func(d int32) bool {
			return v.tree.Is(v.units[d].node, "macro_definition") && v.mentions(v.units[d].node, names)
		})
	})
}

// mentions reports whether a trait has one of the names outside of its arguments, which are often type parameters.
func (v *victim) mentions(trait int32, names []string) bool {
	for d := trait; d < v.tree.Nodes[trait].Next; d++ {
		if v.tree.Is(d, "type_arguments") {
			d = v.tree.Nodes[d].Next - 1
		} else if v.tree.IsLeaf(d) && slices.Contains(names, string(v.base.TextOf(d))) {
			return true
		}
	}
	return false
}

// isFor reports whether a unit implements a type with one of the names, in Rust.
func (v *victim) isFor(unit int32, names []string) bool {
	n := v.units[unit].node
	d := v.tree.Child(n, "type")
	return d >= 0 && v.tree.Is(n, "impl_item") && slices.Contains(names, string(v.base.TextOf(d)))
}
