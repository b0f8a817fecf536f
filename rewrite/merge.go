package rewrite

import (
	"cmp"
	"slices"

	"whittle/parse"
)

const maxMerges = 3

// merge replaces a name by another one everywhere and deletes its definitions (Vulcan's identifier replacement, with
// the deletion that it allows). The most frequent names of the kind come first.
//
//	int a, b; f(a, b);        int a; f(a, a);
func merge(f *File) (changes []Change) {
	names := slices.Clone(f.Names())
	slices.SortStableFunc(names, func(a, b *Name) int { return cmp.Compare(len(b.Uses), len(a.Uses)) })
	for i := range slices.Backward(names) {
		tried := 0
		for _, other := range names {
			if tried == maxMerges || other == names[i] || !f.alike(names[i], other) {
				continue
			}
			if ch, ok := f.replaceName(names[i], parse.Literal("", other.Text)); ok {
				changes = append(changes, ch)
				tried++
			}
		}
	}
	return changes
}

func (f *File) alike(name, other *Name) bool {
	return name.Kind == other.Kind || f.isType(name.Uses[0]) && f.isType(other.Uses[0])
}

// base replaces a class by its base, or another name by the first of its kind that the definition mentions, and deletes
// the definition.
//
//	class A { f() {} }            class A { f() {} }
//	class B extends A {}
//	new B().f()                   new A().f()
func (f *File) base(name *Name) (ch Change, ok bool) {
	for _, d := range name.Defs {
		for n := d.Node; n > 0 && n < f.Nodes[d.Node].Next; n++ {
			if !f.isWord(n) {
				continue
			}
			other := f.named(f.Text(n))
			own := slices.ContainsFunc(other.Defs, func(o Def) bool { return f.within(o.Leaf, d.Node) })
			if other != name && !own && f.alike(name, other) {
				return f.replaceName(name, parse.Literal("", other.Text))
			}
		}
	}
	return ch, false
}
