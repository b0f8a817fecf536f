package rewrite

import (
	"slices"

	"whittle/parse"
)

const (
	// brief is how many statements a function may have that is called more than once.
	brief = 10
	// copied is how many tokens the copies of a function may have.
	copied = 2000
)

// inline puts the body of a function in the place of all its calls, with the arguments in
// the place of the parameters, and takes the function away. Or each call becomes its
// argument, if it has but one.
//
//	int f(int a) { b = a; return a + 1; }        int g() { b = 2; return 2 + 1; }
//	int g() { return f(2); }
func inline(f *File) (changes []Change) {
	for _, fn := range f.functions() {
		same := false
		for _, s := range fn.signatures {
			if s.Body < 0 || s.lists[ofValues].node == 0 {
				continue
			}
			if ch, ok := f.inlined(fn, s); ok {
				changes = append(changes, ch)
				same = f.returnsOnly(s)
			}
			break
		}
		if ch, ok := f.identity(fn); ok && !same {
			changes = append(changes, ch)
		}
	}
	return changes
}

// inlined returns the change that inlines a function with a body.
func (f *File) inlined(fn *function, s signature) (ch Change, ok bool) {
	b := f.bodyOf(s.Body)
	size := int(f.Nodes[s.Body].Last - f.Nodes[s.Body].First)
	if len(fn.calls) > 1 && (len(b.statements) > brief || size*len(fn.calls) > copied) {
		return ch, false
	}
	if len(f.usesIn(s.Body, s.Leaf)) > 0 {
		return ch, false // it calls itself
	}
	if ch.Drop, ok = f.alone(fn); !ok {
		return ch, false
	}
	values := map[int32]filling{} // of the statements that calls are in
	for i := len(fn.calls) - 1; i >= 0; i-- {
		c := fn.calls[i]
		statement := f.statementOf(c.node)
		if statement < 0 || f.inAny(c.node, ch.Drop) {
			return ch, false
		}
		arguments := f.arguments(s, c, s.Body, values[statement])
		edit, own, ok := f.expanded(b, c, statement, arguments)
		switch {
		case !ok:
			return ch, false
		case !own: // a value among others
			if values[statement] == nil {
				values[statement] = filling{}
			}
			values[statement][c.node] = edit.With
		case values[statement] != nil:
			return ch, false // another in the same statement
		}
		ch.Edits = append(ch.Edits, edit)
	}
	ch.Edits = outermost(ch.Edits)
	return ch, len(ch.Edits) > 0
}

// returnsOnly reports whether a function returns its only parameter, and does nothing else.
func (f *File) returnsOnly(s signature) bool {
	b, items := f.bodyOf(s.Body), s.lists[ofValues].items
	return len(b.statements) == 0 && b.value >= 0 && f.IsLeaf(b.value) &&
		len(items) == 1 && items[0].name >= 0 && f.Text(items[0].name) == f.Text(b.value)
}

// alone returns the definitions of a function if all else that is said of it are calls.
func (f *File) alone(fn *function) (drop []int32, ok bool) {
	for _, d := range fn.Defs {
		if d.Node < 0 {
			return nil, false
		}
		if len(drop) == 0 || !f.within(d.Node, drop[len(drop)-1]) {
			drop = append(drop, d.gone()...)
		}
	}
	calls := map[int32]bool{}
	for _, c := range fn.calls {
		calls[c.leaf] = true
	}
	for _, use := range fn.Uses {
		if !calls[use] && !f.inAny(use, drop) {
			return nil, false
		}
	}
	return drop, len(fn.calls) > 0
}

// arguments returns what stands in the place of the parameters below a node: the arguments
// of a call, in which other calls may be filled.
func (f *File) arguments(s signature, c call, n int32, calls filling) filling {
	with := filling{}
	for kind, l := range s.lists {
		for i, it := range l.items {
			if i >= len(c.lists[kind].items) {
				break
			}
			for _, use := range f.usesIn(n, it.name) {
				f.put(with, use, c.argument(f, kind, i), calls)
			}
		}
	}
	return with
}

// put puts an expression, in which calls may be filled, in the place of a name. Where that is
// followed and the expression is &x, x takes the place of *p, and x.f that of p->f.
func (f *File) put(with filling, use, expression int32, calls filling) {
	inner := int32(-1)
	if f.first(expression) == "&" {
		inner = f.element(expression)
	}
	w, next := f.parent(use), f.Nodes[use].Last
	switch sign := f.tokenText(next); {
	case inner >= 0 && f.wraps(w, use):
		with[w] = f.fill(calls, inner)
	case inner >= 0 && (sign == "->" || sign == "."):
		with[use] = f.fill(calls, inner)
		with[f.leafAt(next)] = []parse.Piece{parse.Literal("", ".")}
	default:
		with[use] = f.closed(expression, use, f.fill(calls, expression))
	}
}

// expanded returns the edit that puts a body in the place of a call: of that alone, or of
// the whole statement that it is in.
func (f *File) expanded(b body, c call, statement int32, with filling) (e parse.Edit, whole, ok bool) {
	alone, result := f.isValueOf(c.node, statement)
	value := []parse.Piece{parse.Literal("", "0")}
	if b.value >= 0 {
		value = f.closed(b.value, c.node, f.fill(with, b.value))
	}
	if len(b.statements) == 0 && (b.value >= 0 || !alone) {
		return f.Replace([]int32{c.node}, value...), false, true
	}
	pieces := f.fill(with, b.statements...)
	switch {
	case alone && result && b.last >= 0:
		pieces = f.fill(with, append(b.statements[:len(b.statements):len(b.statements)], b.last)...)
	case alone:
	default:
		pieces = append(pieces, f.fill(filling{c.node: value}, statement)...)
	}
	p := f.parent(statement)
	if p > 0 && (!f.isBlock(p) || alone && f.collides(b.node, p)) {
		pieces = append([]parse.Piece{parse.Literal("", "{")}, pieces...)
		pieces = append(pieces, parse.Literal("", "}"))
	}
	return f.Replace([]int32{statement}, pieces...), true, true
}

// collides reports whether a body declares a word that stands in a block, too.
func (f *File) collides(body, block int32) bool {
	for _, name := range f.declaredIn(body) {
		uses := f.usesOf(block, name.Text)
		if slices.ContainsFunc(uses, func(use int32) bool { return !f.within(use, body) }) {
			return true
		}
	}
	return false
}

// declaredIn returns the names that are declared below n, in order.
func (f *File) declaredIn(n int32) (names []*Name) {
	if f.declared == nil {
		f.declared = map[int32]*Name{}
		for _, name := range f.Names() {
			for _, d := range name.Defs {
				if f.isOf(d.Owner, "declar") {
					f.declared[d.Leaf] = name
				}
			}
		}
	}
	for m := n; m < f.Nodes[n].Next; m++ {
		if name := f.declared[m]; name != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// identity returns the change that puts its only argument in the place of each call.
func (f *File) identity(fn *function) (ch Change, ok bool) {
	if ch.Drop, ok = f.alone(fn); !ok {
		return ch, false
	}
	for _, c := range fn.calls {
		l := c.lists[ofValues]
		if len(l.items) == 0 {
			l = c.lists[ofTypes]
		}
		if len(l.items) != 1 || f.inAny(c.node, ch.Drop) {
			return ch, false
		}
		ch.Edits = append(ch.Edits, f.Replace([]int32{c.node}, parse.Nodes(l.items[0].node)))
	}
	ch.Edits = outermost(ch.Edits)
	return ch, true
}
