package rewrite

import "whittle/parse"

const maxPromoted = 40

// promote moves the definition of a local variable before the function, and deletes a statement that passes the
// variable on. The compiler must keep the other effects on a global variable.
//
//	f() { int a; g(&a); h(a); }        int a; f() { g(&a); }
func promote(f *File) (changes []Change) {
	for _, name := range f.Names() {
		for _, d := range name.Defs {
			top := f.function(d)
			if top < 0 {
				continue
			}
			at := f.Nodes[top].First
			to := parse.Edit{From: at, To: at, With: append(f.declaration(d), parse.Literal("\n", ""))}
			for i := len(name.Uses) - 1; i >= 0; i-- {
				statement := f.droppable(name.Uses[i])
				if len(changes) == maxPromoted {
					return changes
				}
				if statement >= 0 && !f.within(d.Node, statement) && f.within(statement, top) &&
					!f.within(statement, d.Node) {
					changes = append(changes, Change{Edits: []parse.Edit{to}, Drop: append(d.nodes(), statement)})
				}
			}
		}
	}
	return changes
}

func (f *File) declaration(d Def) []parse.Piece {
	t := f.Child(d.Owner, "type")
	if t < 0 || f.within(t, d.Node) || !f.within(d.Node, d.Owner) || d.Node == d.Owner {
		return []parse.Piece{parse.Nodes(d.Node)}
	}
	return []parse.Piece{parse.Nodes(t), parse.Nodes(d.Node), parse.Literal("", ";")}
}

// function returns the member of the file around a variable defined in braces or in a body, or -1.
func (f *File) function(d Def) int32 {
	if d.Node < 0 || d.Body >= 0 || d.Value >= 0 && !f.IsLeaf(d.Value) {
		return -1
	}
	top, inside := d.Node, false
	for f.InFile(f.Nodes[top].Parent) && f.Field(top) != "parameters" {
		inside = inside || f.Field(top) == "body" || f.Text(top) == "{"
		top = f.Nodes[top].Parent
	}
	if !inside || f.InFile(f.Nodes[top].Parent) {
		return -1
	}
	return top
}

func (f *File) droppable(leaf int32) int32 {
	for n := f.Nodes[leaf].Parent; n > 0; n = f.Nodes[n].Parent {
		if f.Nodes[n].Slot.Droppable() && (f.semicolon(n) >= 0 || f.InPlainList(n)) {
			return n
		}
	}
	return -1
}
