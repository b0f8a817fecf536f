package rewrite

import "whittle/parse"

// spill puts what a definition holds in its place, and takes its name away wherever else
// it stands: in front of what it qualifies, or with all that it is called in.
//
//	namespace n { int a; } int b = n::a;    int a; int b = a;
//	def main; g; h; end; main               g; h
func spill(f *File) (changes []Change) {
	for _, name := range f.Names() {
		if len(name.Defs) != 1 || len(name.Uses) < 2 {
			continue // without a use elsewhere it is but unwrapped
		}
		d := name.Defs[0]
		if d.Node <= 0 || f.IsLeaf(d.Node) {
			continue
		}
		row := f.held(d)
		if row == nil {
			continue
		}
		ch := Change{Edits: []parse.Edit{f.Replace(f.withSemicolon(d.Node), parse.Nodes(row...))}}
		for _, use := range name.Uses {
			if use != d.Leaf {
				ch.Drop = append(ch.Drop, f.unnamed(use, d.Node)...)
			}
		}
		changes = append(changes, ch)
	}
	return changes
}

// held returns what a definition holds: what is in its body, or the largest part of it.
func (f *File) held(d Def) []int32 {
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
	if rows := f.Runs(children); len(rows) > 0 && len(rows[0]) >= len(children)-2 {
		return rows[0]
	}
	if n := len(children); n == 3 && f.IsFixed(children[0]) && f.IsFixed(children[2]) {
		return children[1:2]
	}
	return []int32{body}
}

// unnamed returns the nodes that go for a use of a name to go: it and what stands between
// it and the name that it qualifies, or else the statement around it, or the innermost node
// that may go. That is none around what stays.
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
	if n := f.closest(use); n > 0 && !f.within(stays, n) {
		return []int32{n}
	}
	return nil
}
