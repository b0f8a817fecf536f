package rewrite

import "whittle/parse"

// unassign keeps what is assigned to a name, without the name: where it is used it becomes
// a constant.
//
//	int a = f(b); a += g(); return a;        f(b); g(); return 0;
func unassign(f *File) (changes []Change) {
	for _, name := range f.Names() {
		if ch, ok := f.unassigned(name); ok {
			changes = append(changes, ch)
		}
	}
	return changes
}

// unassigned returns the change that takes a name away and keeps what it is assigned, if
// that is more than a word.
func (f *File) unassigned(name *Name) (ch Change, ok bool) {
	gone := map[int32]bool{}
	for _, d := range name.Defs {
		if d.Node < 0 || d.Body >= 0 {
			return ch, false
		}
		gone[d.Leaf] = true
		if d.Value < 0 || f.IsLeaf(d.Value) {
			ch.Drop = append(ch.Drop, d.gone()...)
			continue
		}
		statement := f.statementOf(d.Leaf)
		if statement < 0 || !f.within(d.Owner, statement) {
			return ch, false
		}
		with := []parse.Piece{parse.Nodes(d.Value)}
		if f.tokenText(f.Nodes[statement].Last-1) == ";" {
			with = append(with, parse.Literal("", ";"))
		}
		ch.Edits = append(ch.Edits, f.Replace([]int32{statement}, with...))
		ok = true
	}
	for _, use := range name.Uses {
		if !gone[use] && !f.inAny(use, ch.Drop) {
			ch.Edits = append(ch.Edits, f.Replace([]int32{use}, parse.Literal("", "0")))
		}
	}
	ch.Edits = outermost(ch.Edits)
	return ch, ok
}
