package rewrite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whittle/parse"
)

func flattened(f *File) []Change {
	changes := each((*File).Names, (*File).pointee, (*File).flatten, (*File).multiply)(f)
	if ch, ok := levels(f); ok {
		changes = slices.Insert(changes, 0, ch)
	}
	return changes
}

// flatten removes one level of pointer, array or reference from a name. Or it replaces the name by the variable that it
// points to, or by its first element.
//
//	int a[2]; a[0] = a[1];                int a; a = a;
//	int x, *p = &x; *p = f(p);            int x; x = f(&x);
func (f *File) flatten(name *Name) (ch Change, ok bool) {
	unwrap := func(from, inner int32) {
		if inner >= 0 {
			ch.Edits = append(ch.Edits, f.Replace([]int32{from}, parse.Nodes(inner)))
			ok = true
		}
	}
	for _, d := range name.Defs {
		if w := f.parent(d.Leaf); f.wraps(w, d.Leaf) {
			unwrap(w, d.Leaf)
		} else if t := f.Child(d.Owner, "type"); t >= 0 {
			unwrap(t, f.element(t))
		}
		if d.Value >= 0 {
			unwrap(d.Value, f.element(d.Value))
		}
	}
	if !ok {
		return ch, false
	}
	for _, use := range name.Uses {
		if w := f.parent(use); f.wraps(w, use) {
			unwrap(w, use)
		} else if next := f.Nodes[use].Last; f.tokenText(next) == "->" {
			ch.Edits = append(ch.Edits, f.Replace([]int32{f.leafAt(next)}, parse.Literal("", ".")))
		}
	}
	return ch, true
}

// multiply combines two levels of an array. Unlike flatten it keeps the size.
//
//	int a[2][3]; a[0][1] = *a[1];         int a[6]; a[1] = *a;
func (f *File) multiply(name *Name) (ch Change, ok bool) {
	if ch, ok = f.flatten(name); !ok {
		return ch, false
	}
	ok = false
	for _, d := range name.Defs {
		w := f.parent(d.Leaf)
		if !f.wraps(w, d.Leaf) {
			continue
		}
		outer := f.parent(w)
		a, b := f.size(w), f.size(outer)
		if a*b == 0 || !f.wraps(outer, d.Leaf) {
			return ch, false
		}
		ok = true
		product := parse.Literal("", fmt.Sprintf("[%d]", a*b))
		ch.Edits = append(ch.Edits, f.Replace([]int32{outer}, parse.Nodes(d.Leaf), product))
	}
	ch.Edits = outermost(ch.Edits)
	return ch, ok
}

// size returns the number before the last token of a node, or 0.
func (f *File) size(n int32) int {
	size, _ := strconv.Atoi(f.tokenText(f.Nodes[n].Last - 2))
	return size
}

// levels removes all levels of pointers but one from all types, since variables that are assigned to each other have
// the same number.
//
//	int ***a; int ***b[2]; a = b[0];      int *a; int *b[2]; a = b[0];
func levels(f *File) (ch Change, ok bool) {
	of := func(n int32) bool {
		kind := f.Kind(n)
		return n > 0 && f.Text(n) == "*" && (strings.HasSuffix(kind, "pointer_declarator") || kind == "pointer_type")
	}
	for n := range int32(len(f.Nodes)) {
		if !of(n) || of(f.parent(n)) {
			continue
		}
		last := n
		for inner := f.element(n); inner >= 0 && of(inner); inner = f.element(inner) {
			last = inner
		}
		if last != n {
			ch.Edits = append(ch.Edits, f.Replace([]int32{n}, parse.Nodes(last)))
		}
	}
	return ch, len(ch.Edits) > 1
}

// pointee deletes a name p that is defined as &x or {x}: *p and p[0] become x, p becomes &x or {x}.
func (f *File) pointee(name *Name) (ch Change, ok bool) {
	if len(name.Defs) != 1 || name.Defs[0].Value < 0 || name.Defs[0].Node < 0 {
		return ch, false
	}
	d := name.Defs[0]
	inner := f.element(d.Value)
	if inner < 0 {
		return ch, false
	}
	ch.Drop = d.nodes()
	with := replacements{}
	for _, use := range name.Uses {
		w := f.parent(use)
		switch {
		case f.inAny(use, ch.Drop):
		case f.wraps(w, use):
			with[w] = []parse.Piece{parse.Nodes(inner)}
			ok = true
		default:
			ok = ok || f.tokenText(f.Nodes[use].Last) == "->"
			f.put(with, use, d.Value, nil)
		}
	}
	ch.Edits = f.edits(with)
	return ch, ok
}

// wraps reports whether n is a leaf with * before it, or with [i] after it.
func (f *File) wraps(n, leaf int32) bool {
	if n <= 0 {
		return false
	}
	node, from, to := f.Nodes[n], f.Nodes[leaf].First, f.Nodes[leaf].Last
	switch {
	case from > node.First && to == node.Last && f.Nodes[leaf].Parent == n:
		return slices.Contains([]string{"*", "&"}, f.tokenText(node.First)) && !strings.Contains(f.Kind(n), "type")
	case from == node.First:
		return f.tokenText(to) == "[" && f.tokenText(node.Last-1) == "]"
	}
	return false
}

// element returns the element of a type or value: T of *T, []T and T[], the first of {1, 2}, x of &x; or -1.
func (f *File) element(n int32) int32 {
	children := f.InGrammar(n)
	if len(children) < 2 {
		return -1
	}
	if b := f.Child(n, "body"); b >= 0 && strings.Contains(f.Kind(n), "literal") {
		return f.element(b) // []T{1, 2}
	}
	isType := f.isOf(n, "type")
	last := children[len(children)-1]
	switch f.Text(n) {
	case "*", "&":
		return last
	case "[":
		if isType && f.tokenText(f.Nodes[n].Last-1) != "]" {
			return last // []T
		}
		return children[1]
	case "{":
		if len(children) > 2 {
			return children[1]
		}
	default:
		if isType && strings.Contains(f.Kind(n), "array") {
			return children[0] // T[]
		}
	}
	return -1
}
