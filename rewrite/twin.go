package rewrite

import (
	"slices"
	"strings"

	"whittle/parse"
)

// twin replaces a name by one whose definition has the same words, or else nodes of the same kinds. Then the members of
// the other definition replace its members.
//
//	struct A(T); struct B(T); A(B(x))        struct A(T); A(A(x))
//	struct A { a: T } struct B { b: T }      struct A { a: T }
//	fn f(x: B) { x.b }                       fn f(x: A) { x.a }
func twin(f *File) (changes []Change) {
	byWords, byKinds := map[string]*Name{}, map[string]*Name{}
	var alike []Change
	for _, name := range f.Names() {
		if len(name.Defs) != 1 || name.Defs[0].Node < 0 {
			continue
		}
		d := name.Defs[0]
		size := f.Nodes[d.Node].Last - f.Nodes[d.Node].First
		if size > maxTwin || size > f.Nodes[d.Owner].Last-f.Nodes[d.Owner].First+2 {
			continue // too large, or the definition of something around it
		}
		words, kinds := f.definition(d)
		first, list := byWords[words], &changes
		if first == nil {
			byWords[words] = name
			first, list = byKinds[kinds], &alike
		}
		if first == nil {
			byKinds[kinds] = name
		} else if ch, ok := f.replaceName(name, parse.Literal("", first.Text)); ok {
			if list == &alike {
				ch.Edits = outermost(append(ch.Edits, f.membersOf(d, first.Defs[0], ch.Drop)...))
			}
			*list = append(*list, ch)
		}
	}
	return slices.Concat(changes, alike)
}

// membersOf replaces the members of a definition by those at the same places of another one of the same kinds.
func (f *File) membersOf(d, other Def, drop []int32) (edits []parse.Edit) {
	for n := d.Node; n < f.Nodes[d.Node].Next; n++ {
		m := other.Node + n - d.Node
		if n == d.Leaf || !f.isWord(n) || !f.isWord(m) || f.Text(n) == f.Text(m) {
			continue
		}
		member := f.named(f.Text(n))
		if len(member.Defs) == 1 && member.Defs[0].Leaf == n {
			edits = append(edits, f.replaceEach(f.outside(member.Uses, drop), parse.Literal("", f.Text(m)))...)
		}
	}
	return edits
}

// maxTwin limits compared definitions, in tokens.
const maxTwin = 200

func (f *File) definition(d Def) (string, string) {
	var words, kinds strings.Builder
	for n := d.Node; n < f.Nodes[d.Node].Next; n++ {
		kinds.WriteString(f.Kind(n) + " ")
		if n != d.Leaf && f.IsLeaf(n) {
			words.WriteString(f.source(n) + " ")
		}
	}
	return words.String(), kinds.String()
}
