package rewrite

import "whittle/parse"

// forward moves the definition of a function or a type to its first declaration.
//
//	int f(); int x = f(); int f() { return 1; }    int f() { return 1; } int x = f();
func forward(f *File) (changes []Change) {
	for _, name := range f.Names() {
		for i, d := range name.Defs {
			if d.Body < 0 || d.Node <= 0 {
				continue
			}
			for _, first := range name.Defs[:i] {
				if first.Body < 0 && first.Node > 0 && f.Nodes[first.Node].Next <= d.Node {
					whole := f.withSemicolon(d.Node)
					edit := f.Replace(f.withSemicolon(first.Node), parse.Nodes(whole...))
					changes = append(changes, Change{Edits: []parse.Edit{edit}, Drop: whole})
					break
				}
			}
		}
	}
	return changes
}
