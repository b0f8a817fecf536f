package rewrite

import (
	"cmp"
	"slices"

	"whittle/parse"
)

const maxMerges = 3

// merge replaces a name by another one everywhere and deletes its definitions (Vulcan's identifier replacement, with
// the deletion that it allows). First come names of definitions around the last use, then functions for functions and
// others for others, the most frequent ones first.
//
//	int a, b; f(a, b);                     int a; f(a, a);
//	void f(int); void g() { f(1); }        void g() { g(1); }
func merge(f *File) (changes []Change) {
	names := slices.Clone(f.Names())
	slices.SortStableFunc(names, func(a, b *Name) int { return cmp.Compare(len(b.Uses), len(a.Uses)) })
	bodies := map[int32]*Name{}
	var of [2][]*Name // variables, functions
	kind := map[*Name]int{}
	for _, name := range names {
		for _, d := range name.Defs {
			bodies[d.Body] = name
		}
		if f.isFunction(name) {
			kind[name] = 1
		}
		of[kind[name]] = append(of[kind[name]], name)
	}
	var rounds [maxMerges][]Change
	for _, name := range slices.Backward(names) {
		var around []*Name
		for n := name.Uses[len(name.Uses)-1]; n > 0; n = f.Nodes[n].Parent {
			if other := bodies[n]; other != nil {
				around = append(around, other)
			}
		}
		var tried []*Name
		for _, others := range [][]*Name{around, of[kind[name]], of[1-kind[name]]} {
			for _, other := range others {
				if len(tried) == maxMerges {
					break
				}
				if other == name || !f.alike(name, other) || slices.Contains(tried, other) {
					continue
				}
				if ch, ok := f.replaceName(name, parse.Literal("", other.Text)); ok {
					rounds[len(tried)] = append(rounds[len(tried)], ch)
					tried = append(tried, other)
				}
			}
		}
	}
	return slices.Concat(rounds[:]...)
}

func (f *File) isFunction(name *Name) bool {
	return slices.ContainsFunc(name.Defs, func(d Def) bool {
		s, ok := f.signature(d)
		return ok && s.lists[ofValues].node > 0
	})
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
