package rewrite

import (
	"maps"
	"slices"

	"whittle/parse"
)

// release replaces a namespace, class or implementation by its members: C::f and C.f become f.
//
//	namespace N { int f(); }              int f();
//	int i = N::f();                       int i = f();
//
//	impl<T> C<T> { fn new(_: T) -> Self {} }        fn new<T>(_: T) -> C<T> {}
func (f *File) release(n int32) (ch Change, ok bool) {
	b, name := f.Child(n, "body"), f.Child(n, "name")
	if b >= 0 && name < 0 {
		name = f.Child(n, "type")
	}
	if b < 0 || name < 0 || f.within(b, name) || f.Text(b) != "{" || f.Child(n, "parameters") >= 0 ||
		f.Child(n, "declarator") >= 0 || f.isOf(n, "enum") {
		return ch, false
	}
	members := f.InGrammar(b)
	if len(members) < 3 { // empty, or without a bracket
		return ch, false
	}
	members = members[1 : len(members)-1]
	binder := f.Child(n, "type_parameters")
	with, renamed := replacements{}, map[string]string{}
	for _, m := range members {
		leaf := f.nameOf(m)
		if leaf < 0 {
			continue
		}
		text := f.Text(leaf)
		if f.named(text) == nil {
			continue
		}
		renamed[text] = text
		if len(f.named(text).Defs) > 1 && f.isOf(m, "function") {
			renamed[text] = f.Text(name) + text
		}
		with[leaf] = []parse.Piece{parse.Literal(" ", renamed[text])}
		if binder >= 0 && f.Child(m, "type_parameters") < 0 {
			with[leaf] = append(with[leaf], parse.Nodes(binder))
		}
		for _, use := range f.usesOf(m, "Self") {
			with[use] = []parse.Piece{parse.Nodes(name)}
		}
	}
	whole := f.mayGo(n)
	if whole < 0 {
		return ch, false
	}
	ch.Edits = append(ch.Edits, f.Replace([]int32{whole}, f.replaced(with, members...)...))
	for _, text := range slices.Sorted(maps.Keys(renamed)) {
		for _, use := range f.named(text).Uses {
			if from, to, ok := f.qualified(use, f.Text(name)); ok {
				ch.Edits = append(ch.Edits, parse.Edit{From: from, To: to, With: []parse.Piece{parse.Literal("", renamed[text])}})
			}
		}
	}
	return ch, true
}

func (f *File) nameOf(member int32) int32 {
	for _, field := range []string{"name", "declarator"} {
		if d := f.Child(member, field); d > member {
			if f.IsLeaf(d) {
				return d
			}
			return f.nameOf(d)
		}
	}
	return -1
}

// qualified returns the tokens of a qualified name, as in C::f or C<T>::f.
func (f *File) qualified(leaf int32, container string) (from, to int32, ok bool) {
	from, to = f.Nodes[leaf].First, f.Nodes[leaf].Last
	if sign := f.tokenText(from - 1); sign != "::" && sign != "." {
		return 0, 0, false
	}
	if f.tokenText(from-2) == container {
		return from - 2, to, true
	}
	q := &f.Nodes[f.parent(leaf)]
	return q.First, to, q.Last == to && f.tokenText(q.First) == container
}
