package rewrite

import (
	"slices"
	"strings"

	"whittle/parse"
)

// substitute replaces a name by its value and deletes its definitions: a variable by its initial or assigned value, a
// type alias by its type, a macro by its text.
//
//	typedef long T; T x;        long x;
//	int a = f(b); return a;     return f(b);
//	p = &x; *p = 1;             x = 1;
//
// Or it replaces an assigned variable only in the next statement.
//
//	a = b; a = a ^ c;           a = b ^ c;
func substitute(f *File) (changes []Change) {
	for _, name := range f.Names() {
		for _, def := range name.Defs {
			if def.Value < 0 || f.Child(def.Owner, "parameters") >= 0 && f.IsLeaf(def.Value) {
				continue // a macro's value is raw text
			}
			if ch, ok := f.replaceName(name, parse.Nodes(def.Value)); ok {
				if !f.IsLeaf(def.Value) { // perhaps in parentheses
					with := replacements{}
					for _, use := range f.values(name, ch.Drop) {
						f.put(with, use, def.Value, nil)
					}
					ch.Edits = f.edits(with)
				}
				changes = append(changes, ch)
			}
			if ch, ok := f.carry(name, def); ok && len(name.Defs) > 1 {
				changes = append(changes, ch)
			}
		}
	}
	return changes
}

// carry deletes a statement that only assigns, and replaces the variable by the value in the next statement.
func (f *File) carry(name *Name, def Def) (ch Change, ok bool) {
	statement := f.statementOf(def.Leaf)
	if statement < 0 || f.Nodes[statement].First != f.Nodes[def.Leaf].First {
		return ch, false
	}
	with, next := replacements{}, f.Nodes[statement].Next
	for _, use := range name.Uses {
		isDef := slices.ContainsFunc(name.Defs, func(d Def) bool { return d.Leaf == use })
		if !isDef && next < f.Nodes[f.parent(statement)].Next && f.within(use, next) {
			f.put(with, use, def.Value, nil)
		}
	}
	return Change{Edits: f.edits(with), Drop: []int32{statement}}, len(with) > 0
}

// replaceName fails for a name without uses or with a definition that cannot be dropped.
func (f *File) replaceName(name *Name, with ...parse.Piece) (ch Change, ok bool) {
	if ch.Drop, ok = f.definitions(name); !ok {
		return ch, false
	}
	ch.Edits = f.replaceEach(f.values(name, ch.Drop), with...)
	return ch, len(ch.Drop) > 0 && len(ch.Edits) > 0
}

// values returns the uses of a name outside of some nodes. In shells, $a is a use of a.
func (f *File) values(name *Name, drop []int32) (uses []int32) {
	for _, use := range f.outside(name.Uses, drop) {
		if p := f.Nodes[use].Parent; strings.HasSuffix(f.Kind(p), "expansion") && strings.HasPrefix(f.Text(p), "$") {
			use = p
			if s := f.Nodes[p].Parent; f.Is(s, "string") && len(f.InGrammar(s)) == 3 {
				use = s // with its quotes
			}
		}
		uses = append(uses, use)
	}
	return uses
}

// definitions fails if a definition cannot be deleted.
func (f *File) definitions(name *Name) (nodes []int32, ok bool) {
	for _, d := range name.Defs {
		if d.Node < 0 {
			return nil, false
		}
		if len(nodes) == 0 || !f.within(d.Node, nodes[len(nodes)-1]) {
			nodes = append(nodes, d.nodes()...)
		}
	}
	return nodes, true
}

func (f *File) outside(nodes, others []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(nodes), func(n int32) bool { return f.inAny(n, others) })
}

func (f *File) inAny(n int32, nodes []int32) bool {
	return slices.ContainsFunc(nodes, func(m int32) bool { return f.within(n, m) })
}
