package rewrite

import (
	"go/constant"
	"go/token"
	"strings"

	"whittle/parse"
)

// folded are the operators on integers that mean the same in most languages.
var folded = map[string]token.Token{
	"+": token.ADD, "-": token.SUB, "*": token.MUL, "%": token.REM, "&": token.AND, "|": token.OR, "^": token.XOR,
	"<<": token.SHL, ">>": token.SHR,
}

// fold replaces an operation on two integers by its result.
//
//	f(-1 + 1)        f(0)
func (f *File) fold(n int32) (ch Change, ok bool) {
	o := f.Child(n, "operator")
	if o < 0 {
		return ch, false
	}
	operator, known := folded[f.source(o)]
	x, y := f.integer(f.Child(n, "left")), f.integer(f.Child(n, "right"))
	if !known || x == nil || y == nil {
		return ch, false
	}
	bits, small := constant.Uint64Val(y)
	var result constant.Value
	switch {
	case operator == token.SHL || operator == token.SHR:
		if !small || bits > 31 {
			return ch, false
		}
		result = constant.Shift(x, operator, uint(bits))
	case operator == token.REM && constant.Sign(y) == 0:
		return ch, false
	default:
		result = constant.BinaryOp(x, operator, y)
	}
	text := result.ExactString()
	return f.inPlace(n, parse.Literal("", text)), constant.BitLen(result) < 32 && len(text) <= len(f.source(n))
}

// integer returns the value of an integer with at most a sign, or nil.
func (f *File) integer(n int32) constant.Value {
	if n < 0 || f.Nodes[n].Last-f.Nodes[n].First > 2 {
		return nil
	}
	digits, negative := strings.CutPrefix(f.source(n), "-")
	value := constant.MakeFromLiteral(strings.TrimRight(digits, "lL"), token.INT, 0)
	if value.Kind() != constant.Int {
		return nil
	}
	if negative {
		value = constant.UnaryOp(token.SUB, value, 0)
	}
	return value
}
