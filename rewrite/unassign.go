package rewrite

import (
	"slices"

	"whittle/parse"
)

// unassign deletes a name but keeps the assigned values. Its uses become a constant.
//
//	int a = f(b); a += g(); return a;        f(b); g(); return 0;
func (f *File) unassign(name *Name) (ch Change, ok bool) {
	leaves := map[int32]bool{}
	for _, d := range name.Defs {
		if d.Node < 0 || d.Body >= 0 {
			return ch, false
		}
		leaves[d.Leaf] = true
		if d.Value < 0 || f.IsLeaf(d.Value) {
			ch.Drop = append(ch.Drop, d.nodes()...)
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
	uses := slices.DeleteFunc(f.outside(name.Uses, ch.Drop), func(use int32) bool { return leaves[use] })
	ch.Edits = append(ch.Edits, f.replaceEach(uses, parse.Literal("", "0"))...)
	return ch, ok
}
