package rewrite

import (
	"slices"

	"whittle/parse"
)

const (
	// maxStatements limits functions that are inlined at several calls.
	maxStatements = 10
	maxCopied     = 2000
)

// inline replaces all calls of a function by its body, with arguments for parameters, and deletes the function. If all
// calls have one argument, each call may also become its argument.
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

func (f *File) inlined(fn *function, s signature) (ch Change, ok bool) {
	b := f.bodyOf(s.Body)
	size := int(f.Nodes[s.Body].Last - f.Nodes[s.Body].First)
	if len(fn.calls) > 1 && (len(b.statements) > maxStatements || size*len(fn.calls) > maxCopied) {
		return ch, false
	}
	if len(f.usesIn(s.Body, s.Leaf)) > 0 {
		return ch, false // recursive
	}
	if ch.Drop, ok = f.alone(fn); !ok {
		return ch, false
	}
	values := map[int32]replacements{} // of calls, by statement
	for i := len(fn.calls) - 1; i >= 0; i-- {
		c := fn.calls[i]
		statement := f.statementOf(c.node)
		if statement < 0 || f.inAny(c.node, ch.Drop) {
			return ch, false
		}
		arguments := f.replacedArguments(s, c, s.Body, values[statement])
		edit, whole, ok := f.expanded(b, c, statement, arguments)
		switch {
		case !ok:
			return ch, false
		case !whole:
			if values[statement] == nil {
				values[statement] = replacements{}
			}
			values[statement][c.node] = edit.With
		case values[statement] != nil:
			return ch, false // the statement has another call
		}
		ch.Edits = append(ch.Edits, edit)
	}
	ch.Edits = outermost(ch.Edits)
	return ch, len(ch.Edits) > 0
}

func (f *File) returnsOnly(s signature) bool {
	b, items := f.bodyOf(s.Body), s.lists[ofValues].items
	return len(b.statements) == 0 && b.value >= 0 && f.IsLeaf(b.value) &&
		len(items) == 1 && items[0].name >= 0 && f.Text(items[0].name) == f.Text(b.value)
}

// alone returns the definitions of a function whose other uses are all calls.
func (f *File) alone(fn *function) (drop []int32, ok bool) {
	if drop, ok = f.definitions(fn.Name); !ok {
		return nil, false
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

// replacedArguments replaces the parameters below n by the arguments of c. calls has the replaced calls in these.
func (f *File) replacedArguments(s signature, c call, n int32, calls replacements) replacements {
	with := replacements{}
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

// put replaces a name by an expression. For &x, *p becomes x and p->f becomes x.f.
func (f *File) put(with replacements, use, expression int32, calls replacements) {
	inner := int32(-1)
	if f.Text(expression) == "&" {
		inner = f.element(expression)
	}
	w, next := f.parent(use), f.Nodes[use].Last
	switch sign := f.tokenText(next); {
	case inner >= 0 && f.wraps(w, use):
		with[w] = f.replaced(calls, inner)
	case inner >= 0 && (sign == "->" || sign == "."):
		with[use] = f.replaced(calls, inner)
		with[f.leafAt(next)] = []parse.Piece{parse.Literal("", ".")}
	default:
		with[use] = f.closed(expression, use, f.replaced(calls, expression))
	}
}

// expanded replaces a call by a body, or the whole statement around the call.
func (f *File) expanded(b body, c call, statement int32, with replacements) (e parse.Edit, whole, ok bool) {
	alone, result := f.isValueOf(c.node, statement)
	value := []parse.Piece{parse.Literal("", "0")}
	if b.value >= 0 {
		value = f.closed(b.value, c.node, f.replaced(with, b.value))
	}
	if len(b.statements) == 0 && (b.value >= 0 || !alone) {
		return f.Replace([]int32{c.node}, value...), false, true
	}
	pieces := f.replaced(with, b.statements...)
	switch {
	case alone && result && b.last >= 0:
		pieces = f.replaced(with, append(b.statements[:len(b.statements):len(b.statements)], b.last)...)
	case alone:
	default:
		pieces = append(pieces, f.replaced(replacements{c.node: value}, statement)...)
	}
	p := f.parent(statement)
	if p > 0 && (!f.isBlock(p) || alone && f.collides(b.node, p)) {
		pieces = append([]parse.Piece{parse.Literal("", "{")}, pieces...)
		pieces = append(pieces, parse.Literal("", "}"))
	}
	return f.Replace([]int32{statement}, pieces...), true, true
}

// collides reports whether a body declares a name that the block uses, too.
func (f *File) collides(body, block int32) bool {
	for _, name := range f.declaredIn(body) {
		uses := f.usesOf(block, name.Text)
		if slices.ContainsFunc(uses, func(use int32) bool { return !f.within(use, body) }) {
			return true
		}
	}
	return false
}

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
