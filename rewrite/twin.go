package rewrite

import (
	"slices"
	"strings"

	"whittle/parse"
)

// twin puts a name in the place of another that is defined in the same words, or else in
// the same way: by a tree of the same kinds. The definition of the other goes.
//
//	struct A(T); struct B(T); A(B(x))        struct A(T); A(A(x))
func twin(f *File) (changes []Change) {
	words, ways := map[string]*Name{}, map[string]*Name{}
	var alike []Change
	for _, name := range f.Names() {
		if len(name.Defs) != 1 || name.Defs[0].Node < 0 {
			continue
		}
		d := name.Defs[0]
		size := f.Nodes[d.Node].Last - f.Nodes[d.Node].First
		if size > large || size > f.Nodes[d.Owner].Last-f.Nodes[d.Owner].First+2 {
			continue // of what is around it
		}
		said, way := f.definition(d)
		if first := words[said]; first != nil {
			if ch, ok := f.replaceName(name, parse.Literal("", first.Text)); ok {
				changes = append(changes, ch)
			}
			continue
		}
		words[said] = name
		if first := ways[way]; first != nil {
			if ch, ok := f.replaceName(name, parse.Literal("", first.Text)); ok {
				alike = append(alike, ch)
			}
			continue
		}
		ways[way] = name
	}
	return slices.Concat(changes, alike)
}

// large is how many tokens definitions have that are not looked at for twins.
const large = 200

// definition returns the words of a definition, without the name, and its kinds.
func (f *File) definition(d Def) (words, kinds string) {
	var said, way strings.Builder
	for n := d.Node; n < f.Nodes[d.Node].Next; n++ {
		way.WriteString(f.Kind(n) + " ")
		if n != d.Leaf && f.IsLeaf(n) {
			said.WriteString(f.source(n) + " ")
		}
	}
	return said.String(), way.String()
}
