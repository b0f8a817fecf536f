package rewrite

import (
	"slices"
	"strings"

	"whittle/parse"
)

type member struct {
	name, typ int32 // the name as a leaf, -1 for a positional member; the type
}

func (f *File) onlyMember(d Def) (m member, ok bool) {
	b := d.Body
	for b < 0 || !strings.Contains("{(", f.Text(b)) {
		if b < 0 {
			b = d.Value
		} else if parts := f.InGrammar(b); len(parts) > 0 {
			b = parts[len(parts)-1]
		} else {
			b = -1
		}
		if b < 0 {
			return m, false
		}
	}
	parts := slices.DeleteFunc(f.InGrammar(b), func(n int32) bool {
		return f.IsLeaf(n) && strings.Contains("{}(),;\n", f.source(n)) || f.Nodes[n].Comment
	})
	if len(parts) != 1 {
		return m, false
	}
	m.name, m.typ = f.nameOf(parts[0]), f.Child(parts[0], "type")
	if f.Field(parts[0]) == "type" {
		m.typ = parts[0] // of struct A(T)
	} else if d := f.Child(parts[0], "declarator"); d >= 0 && !f.IsLeaf(d) {
		return m, false // a pointer, an array, a function
	}
	if m.typ >= 0 && f.Text(m.typ) == ":" {
		parts := f.InGrammar(m.typ)
		m.typ = parts[len(parts)-1]
	}
	return m, m.typ >= 0 && !f.isOf(parts[0], "function")
}

// wrapper replaces a type with one member by the type of the member, and removes the member's name from accesses.
//
//	struct s { int m; };                  int f(int x) { return x; }
//	int f(struct s x) { return x.m; }
func (f *File) wrapper(name *Name) (ch Change, ok bool) {
	if len(name.Defs) == 0 || !slices.ContainsFunc(name.Uses, f.isType) {
		return ch, false
	}
	m, ok := f.onlyMember(name.Defs[0])
	if !ok {
		return ch, false
	}
	for _, d := range name.Defs {
		if d.Node < 0 {
			return ch, false
		}
		ch.Drop = append(ch.Drop, d.nodes()...)
	}
	s, _ := f.signature(name.Defs[0])
	accesses := replacements{}
	if m.name >= 0 {
		accesses = f.accesses(f.Text(m.name), ch.Drop)
	}
	for _, use := range f.outside(name.Uses, ch.Drop) {
		from, to := f.Nodes[use].First, f.Nodes[use].Last
		with := []parse.Piece{parse.Nodes(m.typ)}
		if value, end := f.made(use); value >= 0 {
			with, to = f.replaced(accesses, value), end
		} else if before := f.tokenText(from - 1); before == "struct" || before == "class" || before == "union" {
			from--
		}
		if c, ok := f.call(use); ok && c.lists[ofTypes].node > 0 && c.lists[ofValues].node == 0 {
			to = f.Nodes[c.lists[ofTypes].node].Last
			with = f.replaced(f.replacedArguments(s, c, m.typ, nil), m.typ)
		}
		ch.Edits = append(ch.Edits, parse.Edit{From: from, To: to, With: with})
	}
	ok = len(ch.Edits) > 0
	ch.Edits = append(ch.Edits, f.edits(accesses)...)
	return ch, ok
}

// made returns the value e of T(e), T{e} and T{m: e}, and the token after it; or -1.
func (f *File) made(use int32) (value, end int32) {
	next := f.tokenText(f.Nodes[use].Last)
	n := f.parent(use)
	if n <= 0 || next != "(" && next != "{" || f.Nodes[n].First != f.Nodes[use].First {
		return -1, 0
	}
	parts := f.InGrammar(n)
	items := f.items(parts[len(parts)-1])
	if len(items) != 1 {
		return -1, 0
	}
	value = items[0].node
	if v := f.Child(value, "value"); v >= 0 {
		value = v
	} else if parts := f.InGrammar(value); len(parts) == 3 && f.source(parts[1]) == ":" {
		value = parts[2]
	}
	return value, f.Nodes[n].Last
}

// accesses replaces x.m and x->m by x and *x, except in but.
func (f *File) accesses(member string, but []int32) replacements {
	accesses := replacements{}
	for _, use := range f.named(member).Uses {
		sign := f.tokenText(f.Nodes[use].First - 1)
		q := f.parent(use)
		if f.inAny(use, but) || sign != "." && sign != "->" || q <= 0 || f.Nodes[q].First == f.Nodes[use].First {
			continue
		}
		with := []parse.Piece{parse.Nodes(f.InGrammar(q)[0])}
		if sign == "->" {
			with = append([]parse.Piece{parse.Literal("", "*")}, with...)
		}
		accesses[q] = with
	}
	return accesses
}
