package antlr

import (
	"slices"

	"whittle/parse/antlr/g4"
)

// recursive is a left-recursive rule, split as in "Adaptive LL(*) Parsing", section 4.3 and appendix C: primary
// operands, and operators that may follow as often as precedence allows.
type recursive struct {
	primary []operand
	loop    []operand
}

type operand struct {
	alt        *g4.Alt
	elements   []g4.Element
	precedence int         // of the alternative: the operator applies up to this level
	bound      *g4.RuleRef // the last operand if it is the rule itself
	binds      int         // the precedence of bound
}

// takeApart splits rule r, or returns nil if it is not left-recursive. Earlier alternatives bind more tightly. As in
// ANTLR, operators with the rule on both sides come before those with the rule on the left only.
func takeApart(r int, body *g4.Block) *recursive {
	begins := func(alt *g4.Alt) bool {
		first, _ := ends(alt.Elements)
		return refersTo(first, r)
	}
	if !slices.ContainsFunc(body.Alts, begins) {
		return nil
	}
	var out recursive
	var suffixes []operand
	for i, alt := range body.Alts {
		precedence := len(body.Alts) - i
		elements := alt.Elements
		head, tail := ends(elements)
		switch {
		case refersTo(head, r) && refersTo(tail, r) && head != tail:
			next := precedence + 1
			if alt.RightAssoc {
				next = precedence
			}
			out.loop = append(out.loop, operand{alt, without(elements, head), precedence, lastRef(elements, r), next})
		case refersTo(head, r):
			suffixes = append(suffixes, operand{alt: alt, elements: without(elements, head), precedence: precedence})
		case refersTo(tail, r):
			o := operand{alt: alt, elements: elements, bound: lastRef(elements, r), binds: precedence}
			out.primary = append(out.primary, o)
		default:
			out.primary = append(out.primary, operand{alt: alt, elements: elements})
		}
	}
	out.loop = append(out.loop, suffixes...)
	return &out
}

func refersTo(e g4.Element, rule int) bool {
	ref, ok := e.(*g4.RuleRef)
	return ok && ref.Rule == rule
}

// ends returns the first and the last element that are not code.
func ends(elements []g4.Element) (first, last g4.Element) {
	bare := withoutCode(elements)
	if len(bare) == 0 {
		return nil, nil
	}
	return bare[0], bare[len(bare)-1]
}

func without(elements []g4.Element, removed g4.Element) []g4.Element {
	return slices.DeleteFunc(slices.Clone(elements), func(e g4.Element) bool { return e == removed })
}

// lastRef returns the elements' last rule reference if it refers to r, else nil.
func lastRef(elements []g4.Element, r int) *g4.RuleRef {
	var found *g4.RuleRef
	for e := range (&g4.Block{Alts: []*g4.Alt{{Elements: elements}}}).All() {
		if ref, ok := e.(*g4.RuleRef); ok {
			found = ref
		}
	}
	if found == nil || found.Rule != r {
		return nil
	}
	return found
}
