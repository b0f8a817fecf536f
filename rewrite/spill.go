package rewrite

import "whittle/parse"

// spill replaces a definition by its content and deletes the other uses of its name: qualifiers, else the statements
// around them.
//
//	namespace n { int a; } int b = n::a;    int a; int b = a;
//	def main; g; h; end; main               g; h
func (f *File) spill(name *Name) (ch Change, ok bool) {
	if len(name.Defs) != 1 || len(name.Uses) < 2 {
		return ch, false // unwrap covers names without other uses
	}
	d := name.Defs[0]
	if d.Node <= 0 || f.IsLeaf(d.Node) {
		return ch, false
	}
	content := f.contentOf(d)
	if content == nil {
		return ch, false
	}
	ch.Edits = []parse.Edit{f.Replace(f.withSemicolon(d.Node), parse.Nodes(content...))}
	for _, use := range f.usesIn(0, d.Leaf) {
		ch.Drop = append(ch.Drop, f.unnamed(use, d.Node)...)
	}
	return ch, true
}

// contentOf returns the members of the body, or of the largest part without a body.
func (f *File) contentOf(d Def) []int32 {
	body := d.Body
	if body < 0 {
		for _, c := range f.children(d.Owner) {
			if !f.within(d.Leaf, c) && (body < 0 || f.weigh(c) > f.weigh(body)) {
				body = c
			}
		}
	}
	if body < 0 || body == d.Leaf {
		return nil
	}
	children := f.children(body)
	if runs := f.Runs(children); len(runs) > 0 && len(runs[0]) >= len(children)-2 {
		return runs[0]
	}
	if n := len(children); n == 3 && f.IsFixed(children[0]) && f.IsFixed(children[2]) {
		return children[1:2]
	}
	return []int32{body}
}

// unnamed returns a qualifier and its separator, else the statement or droppable node around a use, without stays.
func (f *File) unnamed(use, stays int32) []int32 {
	if next := f.Nodes[use].Next; next < f.Nodes[f.Nodes[use].Parent].Next && f.IsFixed(next) {
		switch f.Text(next) {
		case "::", ".":
			return []int32{use, next}
		}
	}
	if s := f.statementOf(use); s > 0 && !f.within(stays, s) {
		return []int32{s}
	}
	if n := f.mayGo(use); n > 0 && !f.within(stays, n) {
		return []int32{n}
	}
	return nil
}
