package rewrite

import (
	"maps"
	"slices"
	"strings"

	"whittle/parse"
)

type body struct {
	node       int32
	statements []int32 // without the final one
	last       int32   // the final statement with the value, such as return E; or -1
	value      int32   // E, or -1
}

// A node that is not a block is a value:
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
	case f.isStatement(n):
		b.statements = []int32{n}
	case f.Text(n) == "{":
		if children := f.InGrammar(n); len(children) > 2 {
			b.statements = children[1 : len(children)-1]
		}
	default:
		b.statements = f.InGrammar(n)
	}
	for i := len(b.statements) - 1; i >= 0; i-- {
		s := b.statements[i]
		text := f.Text(s)
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

func (f *File) returned(s int32) int32 {
	if f.Text(s) != "return" {
		return -1
	}
	for d := s; ; {
		children := f.InGrammar(d)
		if len(children) == 0 {
			return -1
		}
		if f.Text(children[0]) == "return" && f.IsLeaf(children[0]) {
			if len(children) > 1 && f.Text(children[1]) != ";" {
				return children[1]
			}
			return -1
		}
		d = children[0]
	}
}

func (f *File) isBlock(n int32) bool {
	for kind := range f.Kinds(n) {
		if strings.Contains(kind, "block") || strings.HasPrefix(kind, "compound") || strings.HasSuffix(kind, "_body") {
			return true
		}
	}
	return false
}

// A block is not a statement.
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

// statementOf returns the member of a block around n, or the body around it of a statement such as if.
func (f *File) statementOf(n int32) int32 {
	for ; n > 0; n = f.parent(n) {
		if p := f.parent(n); f.isStatement(n) || f.isBlock(p) && !f.isStatement(p) {
			return n
		}
	}
	return -1
}

// isValueOf reports whether a statement only evaluates n, and whether n is the result.
func (f *File) isValueOf(n, statement int32) (alone, result bool) {
	from, to := f.Nodes[statement].First, f.Nodes[statement].Last
	if f.tokenText(to-1) == ";" {
		to--
	}
	switch {
	case f.tokenText(from) == "return":
		from++
		result = true
	case !f.isStatement(statement):
		result = true
	}
	return from == f.Nodes[n].First && to == f.Nodes[n].Last, result
}

// closed adds parentheses if the expression is an operation and becomes an operand.
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

func (f *File) hasKind(n int32, words []string) bool {
	kind := f.Kind(n)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(kind, word) })
}

type replacements map[int32][]parse.Piece

func (f *File) edits(with replacements) (edits []parse.Edit) {
	for _, n := range slices.Sorted(maps.Keys(with)) {
		edits = append(edits, f.Replace([]int32{n}, with[n]...))
	}
	return outermost(edits)
}

func (f *File) replaced(with replacements, siblings ...int32) []parse.Piece {
	if len(siblings) == 0 {
		return nil
	}
	return f.replacedWithin(with, slices.Sorted(maps.Keys(with)), siblings, siblings[0])
}

// replacedWithin returns the pieces of siblings inside a node. at has the replaced nodes in and below them, in
// order.
func (f *File) replacedWithin(with replacements, at, siblings []int32, within int32) (pieces []parse.Piece) {
	plain := 0
	for i, n := range siblings {
		from, _ := slices.BinarySearch(at, n)
		to, _ := slices.BinarySearch(at, f.Nodes[n].Next)
		if from == to {
			continue
		}
		if plain < i {
			pieces = append(pieces, parse.Nodes(siblings[plain:i]...).Within(within))
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
		pieces = append(pieces, f.replacedWithin(with, at[from:to], children, within)...)
	}
	if plain < len(siblings) {
		pieces = append(pieces, parse.Nodes(siblings[plain:]...).Within(within))
	}
	return pieces
}
