package rewrite

import (
	"strings"

	"whittle/parse"
)

// members replaces a type by its members and deletes variables of the type: x.m and x->m become m.
//
//	struct s { int a, b; } x;               int a, b;
//	int f() { return x.a + x.b; }           int f() { return a + b; }
func (f *File) members(n int32) (ch Change, ok bool) {
	kind, body := f.Kind(n), f.Child(n, "body")
	if !strings.HasPrefix(kind, "struct") && !strings.HasPrefix(kind, "union") && !strings.HasPrefix(kind, "class") ||
		body < 0 || f.Text(body) != "{" {
		return ch, false
	}
	whole := f.mayGo(n)
	if p := f.parent(n); f.Child(p, "declarator") >= 0 {
		whole = f.mayGo(p) // with the variables that are declared with the type
	}
	for _, name := range f.declaredIn(body) {
		for _, use := range name.Uses {
			sign, q := f.tokenText(f.Nodes[use].First-1), f.parent(use)
			if (sign == "." || sign == "->") && !f.within(use, body) && q > 0 && f.Nodes[q].Last == f.Nodes[use].Last {
				ch.Edits = append(ch.Edits, f.Replace([]int32{q}, parse.Nodes(use)))
				ok = true
			}
		}
	}
	name := f.Child(n, "name")
	if d := f.Child(f.parent(n), "declarator"); name < 0 && d >= 0 && strings.HasPrefix(f.Kind(f.parent(n)), "type") {
		name = d // typedef struct { … } name
	}
	if !ok || whole < 0 {
		return ch, false
	}
	if name >= 0 && f.IsLeaf(name) {
		for _, use := range f.outside(f.usesOf(0, f.Text(name)), []int32{whole}) {
			if f.inAny(use, ch.Drop) {
				continue
			}
			statement := f.statementOf(use)
			if statement < 0 || !f.isOf(statement, "declar") {
				return ch, false
			}
			ch.Drop = append(ch.Drop, statement)
		}
	}
	var pieces []parse.Piece
	for _, m := range f.InGrammar(body) {
		// Labels such as public: are left out.
		if !f.isOf(m, "access") && (!f.IsLeaf(m) || f.source(m) == ";") {
			pieces = append(pieces, parse.Nodes(m))
		}
	}
	ch.Edits = append(ch.Edits, f.Replace([]int32{whole}, pieces...))
	return ch, len(pieces) > 0
}
