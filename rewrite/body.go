package rewrite

import (
	"maps"
	"slices"
	"strings"

	"whittle/parse"
)

// A body is what a function does: its statements, and the value that it ends with.
type body struct {
	node       int32
	statements []int32 // without that which says the value
	last       int32   // that which says it, as return E; -1 if there is none
	value      int32   // E, -1 if there is none
}

// bodyOf returns the body of a function. What is no block is a value.
//
//	{ f(x); return y; }     in most languages
//	{ f(x); y }             in some
//	y                       of (x) => y
func (f *File) bodyOf(n int32) body {
	b := body{node: n, last: -1, value: -1}
	switch {
	case !f.isBlock(n) && !f.isStatement(n):
		b.last, b.value = n, n
		return b
	case f.isStatement(n): // all that is in the block
		b.statements = []int32{n}
	case f.first(n) == "{":
		if children := f.parts(n); len(children) > 2 {
			b.statements = children[1 : len(children)-1]
		}
	default:
		b.statements = f.parts(n)
	}
	for i := len(b.statements) - 1; i >= 0; i-- {
		s := b.statements[i]
		text := f.first(s)
		if f.Nodes[s].Comment || text == ";" && f.IsLeaf(s) || strings.TrimSpace(text) == "" {
			continue
		}
		if v := f.returned(s); v >= 0 {
			b.statements, b.last, b.value = b.statements[:i], s, v
		} else if !f.isStatement(s) {
			b.statements, b.last, b.value = b.statements[:i], s, s
		}
		break
	}
	return b
}

// returned returns what a statement returns, -1 if that is nothing.
func (f *File) returned(s int32) int32 {
	if f.first(s) != "return" {
		return -1
	}
	for d := s; ; {
		children := f.parts(d)
		if len(children) == 0 {
			return -1
		}
		if f.first(children[0]) == "return" && f.IsLeaf(children[0]) {
			if len(children) > 1 && f.first(children[1]) != ";" {
				return children[1]
			}
			return -1
		}
		d = children[0]
	}
}

// isBlock reports whether n is a block of statements.
func (f *File) isBlock(n int32) bool {
	for kind := range f.Kinds(n) {
		if strings.Contains(kind, "block") || strings.HasPrefix(kind, "compound") || strings.HasSuffix(kind, "_body") {
			return true
		}
	}
	return false
}

// isStatement reports whether n is a statement or a declaration, and no block.
func (f *File) isStatement(n int32) bool {
	is := false
	for kind := range f.Kinds(n) {
		for _, end := range []string{"statement", "declaration", "definition", "_item"} {
			is = is || strings.HasSuffix(kind, end)
		}
		if strings.HasPrefix(kind, "compound") {
			return false
		}
	}
	return is
}

// statementOf returns the statement that n is in: a member of a block, or the whole of
// what a statement governs.
func (f *File) statementOf(n int32) int32 {
	for ; n > 0; n = f.parent(n) {
		if p := f.parent(n); f.isStatement(n) || f.isBlock(p) && !f.isStatement(p) {
			return n
		}
	}
	return -1
}

// isValueOf reports whether a statement does nothing but evaluate n, or return it.
func (f *File) isValueOf(n, statement int32) (alone, result bool) {
	from, to := f.Nodes[statement].First, f.Nodes[statement].Last
	if f.tokenText(to-1) == ";" {
		to--
	}
	switch {
	case f.tokenText(from) == "return":
		from++
		result = true
	case !f.isStatement(statement): // which a block ends with
		result = true
	}
	return from == f.Nodes[n].First && to == f.Nodes[n].Last, result
}

// closed returns pieces that have an expression and stand in a place: in brackets, if it is
// an operation and an operand there.
func (f *File) closed(expression, place int32, pieces []parse.Piece) []parse.Piece {
	p := f.parent(place)
	if !f.hasKind(expression, operations) || !f.hasKind(p, operations) && !f.hasKind(p, accesses) ||
		strings.Contains(f.Kind(p), "assign") && f.Field(place) == "right" {
		return pieces
	}
	return slices.Concat([]parse.Piece{parse.Literal("", "(")}, pieces, []parse.Piece{parse.Literal("", ")")})
}

var (
	operations = []string{"binary", "unary", "pointer_exp", "cast", "conditional", "ternary", "assignment",
		"reference_exp", "update", "comparison", "boolean", "_operator", "await"}
	accesses = []string{"field_exp", "member", "subscript", "selector", "attribute", "index"}
)

// hasKind reports whether the kind of n has one of the words in it.
func (f *File) hasKind(n int32, words []string) bool {
	kind := f.Kind(n)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(kind, word) })
}

// A filling puts pieces in the place of nodes.
type filling map[int32][]parse.Piece

// edits returns the edits that fill nodes where they stand.
func (f *File) edits(with filling) (edits []parse.Edit) {
	for _, n := range slices.Sorted(maps.Keys(with)) {
		edits = append(edits, f.Replace([]int32{n}, with[n]...))
	}
	return outermost(edits)
}

// fill returns the pieces of a row of siblings in which nodes are filled.
func (f *File) fill(with filling, row ...int32) []parse.Piece {
	if len(row) == 0 {
		return nil
	}
	return f.filled(with, slices.Sorted(maps.Keys(with)), row, row[0])
}

// filled returns the pieces of a row that is within a node; at are the nodes in it that are
// filled, in order.
func (f *File) filled(with filling, at, row []int32, within int32) (pieces []parse.Piece) {
	plain := 0 // where the nodes begin that are as they were
	for i, n := range row {
		from, _ := slices.BinarySearch(at, n)
		to, _ := slices.BinarySearch(at, f.Nodes[n].Next)
		if from == to {
			continue
		}
		if plain < i {
			pieces = append(pieces, parse.Nodes(row[plain:i]...).Within(within))
		}
		plain = i + 1
		if in, ok := with[n]; ok {
			pieces = append(pieces, in...)
			continue
		}
		var children []int32
		for d := n + 1; d < f.Nodes[n].Next; d = f.Nodes[d].Next {
			children = append(children, d)
		}
		pieces = append(pieces, f.filled(with, at[from:to], children, within)...)
	}
	if plain < len(row) {
		pieces = append(pieces, parse.Nodes(row[plain:]...).Within(within))
	}
	return pieces
}
