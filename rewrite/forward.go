package rewrite

import (
	"strings"

	"whittle/parse"
)

// forward moves the definition of a function or a type to its first declaration, or a type to its first use.
//
//	int f(); int x = f(); int f() { return 1; }    int f() { return 1; } int x = f();
//	struct s { int a; }; struct s x;               struct { int a; } x;
func forward(f *File) (changes []Change) {
	for _, name := range f.Names() {
		for i, d := range name.Defs {
			if d.Body < 0 || d.Node <= 0 {
				continue
			}
			whole := f.withSemicolon(d.Node)
			for _, first := range name.Defs[:i] {
				if first.Body < 0 && first.Node > 0 && f.Nodes[first.Node].Next <= d.Node {
					edit := f.Replace(f.withSemicolon(first.Node), parse.Nodes(whole...))
					changes = append(changes, Change{Edits: []parse.Edit{edit}, Drop: whole})
					break
				}
			}
			if use := f.typeAfter(name, d); use >= 0 {
				var moved []parse.Piece
				for _, n := range f.children(d.Owner) {
					if n != d.Leaf || len(name.Uses) > 2 {
						moved = append(moved, parse.Nodes(n))
					}
				}
				edit := f.Replace([]int32{use}, moved...)
				changes = append(changes, Change{Edits: []parse.Edit{edit}, Drop: whole})
			}
		}
	}
	return changes
}

// typeAfter returns the first use of a type in a declaration after its definition, with a word such as struct; or -1.
func (f *File) typeAfter(name *Name, d Def) int32 {
	kind := f.Kind(d.Owner)
	if !strings.HasSuffix(kind, "_specifier") || f.Field(d.Owner) == "type" {
		return -1
	}
	for _, use := range name.Uses {
		n := use
		if p := f.parent(use); f.Kind(p) == kind {
			n = p
		}
		if n >= f.Nodes[d.Node].Next && f.Field(n) == "type" && f.Child(f.parent(n), "declarator") >= 0 {
			return n
		}
	}
	return -1
}
