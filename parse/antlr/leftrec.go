package antlr

import "whittle/parse/antlr/g4"

// recursive is a rule that begins with itself, taken apart as in "Adaptive
// LL(*) Parsing", section 4.3 and appendix C: what it begins with, and what may
// follow as often as its precedence allows.
type recursive struct {
	primary []operand
	loop    []operand
}

// operand is an alternative of the taken apart rule.
type operand struct {
	alt        *g4.Alt
	elements   []g4.Element
	precedence int         // of the alternative: what an operator needs to be let in
	bound      *g4.RuleRef // the reference to the rule that binds, or nil
	binds      int         // its precedence
}

// takeApart returns the parts of rule r, or nil if it does not begin with itself.
// Alternatives before others bind more tightly. Operators with the rule on both
// sides come before those with it on the left only, as the ANTLR tool has them.
func takeApart(r int, body *g4.Block) *recursive {
	begins := false
	for _, alt := range body.Alts {
		begins = begins || refersTo(first(alt.Elements), r)
	}
	if !begins {
		return nil
	}
	var out recursive
	var suffixes []operand
	for i, alt := range body.Alts {
		precedence := len(body.Alts) - i
		elements := alt.Elements
		head, tail := first(elements), last(elements)
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

// first returns the first element that is no code; nil if there is none.
func first(elements []g4.Element) g4.Element {
	for _, e := range elements {
		if _, code := e.(*g4.Code); !code {
			return e
		}
	}
	return nil
}

func last(elements []g4.Element) g4.Element {
	for i := len(elements) - 1; i >= 0; i-- {
		if _, code := elements[i].(*g4.Code); !code {
			return elements[i]
		}
	}
	return nil
}

func without(elements []g4.Element, gone g4.Element) []g4.Element {
	var rest []g4.Element
	for _, e := range elements {
		if e != gone {
			rest = append(rest, e)
		}
	}
	return rest
}

// lastRef returns the last reference to any rule in the elements, if that is to r.
func lastRef(elements []g4.Element, r int) *g4.RuleRef {
	var found *g4.RuleRef
	var walk func([]g4.Element)
	walk = func(elements []g4.Element) {
		for _, e := range elements {
			switch e := e.(type) {
			case *g4.RuleRef:
				found = e
			case *g4.Block:
				for _, a := range e.Alts {
					walk(a.Elements)
				}
			case *g4.Repeat:
				for _, a := range e.Body.Alts {
					walk(a.Elements)
				}
			}
		}
	}
	walk(elements)
	if found == nil || found.Rule != r {
		return nil
	}
	return found
}
