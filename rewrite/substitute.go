package rewrite

import "whittle/parse"

// substitute puts what a name stands for in the place of it, everywhere, and takes its
// definitions away: a variable by what it begins with or is assigned, a type by what it is
// another name for, a macro by its text.
//
//	typedef long T; T x;        long x;
//	int a = f(b); return a;     return f(b);
//	p = &x; *p = 1;             x = 1;
func substitute(f *File) (changes []Change) {
	for _, name := range f.Names() {
		for _, def := range name.Defs {
			if def.Value < 0 || f.Child(def.Owner, "parameters") >= 0 && f.IsLeaf(def.Value) {
				continue // of a macro with parameters it is a text
			}
			if ch, ok := f.replaceName(name, parse.Nodes(def.Value)); ok {
				if !f.IsLeaf(def.Value) {
					ch.Edits = f.standIn(name, ch.Drop, def.Value)
				}
				changes = append(changes, ch)
			}
		}
	}
	return changes
}

// standIn returns the edits that put a value in the place of the uses of a name that do not
// go: in brackets, where it needs these.
func (f *File) standIn(name *Name, drop []int32, value int32) []parse.Edit {
	with := filling{}
	for _, use := range name.Uses {
		if !f.inAny(use, drop) {
			f.put(with, use, value, nil)
		}
	}
	return f.edits(with)
}

// replaceName returns the change that puts a piece in the place of each use of a name and
// drops its definitions. It is none if the name is not used.
func (f *File) replaceName(name *Name, with ...parse.Piece) (ch Change, ok bool) {
	for _, d := range name.Defs {
		if d.Node < 0 {
			return ch, false
		}
		if len(ch.Drop) == 0 || ch.Drop[len(ch.Drop)-1] != d.Node && !f.within(d.Node, ch.Drop[len(ch.Drop)-1]) {
			ch.Drop = append(ch.Drop, d.gone()...)
		}
	}
	for _, use := range name.Uses {
		if !f.inAny(use, ch.Drop) {
			ch.Edits = append(ch.Edits, f.Replace([]int32{use}, with...))
		}
	}
	return ch, len(ch.Drop) > 0 && len(ch.Edits) > 0
}

// inAny reports whether n is in the subtree of one of the nodes.
func (f *File) inAny(n int32, nodes []int32) bool {
	for _, m := range nodes {
		if f.within(n, m) {
			return true
		}
	}
	return false
}
