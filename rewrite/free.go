package rewrite

import (
	"strings"

	"whittle/parse"
)

// free replaces an indented class by its members: the call a.m(b) of a method becomes m(a, b), and an object 0.
//
//	class A:                         def m(self, b):
//	    def m(self, b):                  f(b)
//	        f(b)                     m(0, 1)
//	A().m(1)
func (f *File) free(n int32) (ch Change, ok bool) {
	b, name := f.Child(n, "body"), f.Child(n, "name")
	if b < 0 || name < 0 || !strings.HasPrefix(f.Kind(n), "class") || !f.IsIndented(int(f.Nodes[n].First)) {
		return ch, false
	}
	members := f.InGrammar(b)
	if f.isOf(b, "function") { // the only member
		members = []int32{b}
	}
	with := replacements{}
	if class := f.named(f.Text(name)); class != nil {
		for _, use := range class.Uses {
			if c, called := f.call(use); called && use != name {
				with[c.node] = []parse.Piece{parse.Literal("", "0")}
			}
		}
	}
	for _, m := range members {
		if leaf := f.nameOf(m); leaf >= 0 && f.named(f.Text(leaf)) != nil {
			for _, use := range f.named(f.Text(leaf)).Uses {
				f.callFreely(with, use, f.Text(name))
			}
		}
	}
	whole := f.mayGo(n)
	if whole < 0 || len(with) == 0 {
		return ch, false
	}
	with[whole] = f.replaced(with, members...)
	ch.Edits = f.edits(with)
	return ch, true
}

// callFreely moves the object in front of the name of a method to its arguments.
func (f *File) callFreely(with replacements, use int32, class string) {
	c, called := f.call(use)
	access := f.parent(use)
	parts := f.InGrammar(access)
	if !called || len(parts) != 3 || f.Text(parts[1]) != "." || parts[2] != use {
		return
	}
	object := parse.Literal("", "0")
	if f.IsLeaf(parts[0]) && f.Text(parts[0]) != class {
		object = parse.Literal("", f.Text(parts[0]))
	}
	open := f.leafAt(f.Nodes[c.lists[ofValues].node].First)
	with[parts[0]], with[parts[1]], with[use] = []parse.Piece{parse.Nodes(use)}, nil, nil
	with[open] = []parse.Piece{parse.Literal("", "("), object}
	if len(c.lists[ofValues].items) > 0 {
		with[open] = append(with[open], parse.Literal("", ","))
	}
}
