package g4

// buildParser makes the bodies of the parser rules.
func (b *builder) buildParser() {
	if b.parser == nil {
		return
	}
	for i, r := range b.parser.parserRules {
		b.Rules[i].Body = b.convert(r.body, b.parserElement)
	}
}

func (b *builder) parserElement(e element) []Element {
	switch e := e.(type) {
	case ref:
		if isTokenName(e.text) {
			return []Element{&TokenRef{Pos: e.Pos, Type: b.token(e)}}
		}
		if i, ok := b.parserRules[e.text]; ok {
			return []Element{&RuleRef{Pos: e.Pos, Rule: i}}
		}
		b.problems.add(e.Pos, "rule %s is not defined", e.text)
	case literal:
		return []Element{&TokenRef{Pos: e.Pos, Type: b.token(e)}}
	case not:
		return []Element{&Set{Pos: e.Pos, Not: true, Ranges: tidy(b.tokenSet(e.of))}}
	default:
		b.tokenSet(e)
	}
	return nil
}

// tokenSet gives the types of an element that is one token, or of alternatives
// that are.
func (b *builder) tokenSet(e element) (members []Range) {
	switch e := e.(type) {
	case ref, literal:
		t := b.token(e)
		return []Range{{t, t}}
	case span:
		b.problems.add(e.from.Pos, "range '%s'..'%s' in a parser rule: ranges are for lexer rules", e.from.text, e.to.text)
	case *block:
		for _, a := range e.alts {
			members = append(members, b.tokenSet(a.elements[0])...)
		}
	}
	return members
}

// token gives the type of a name or literal.
func (b *builder) token(e element) int {
	switch e := e.(type) {
	case ref:
		if t, ok := b.names[e.text]; ok {
			return t
		}
		if reservedNames[e.text] {
			b.problems.add(e.Pos, "%s is a reserved name, and no token", e.text)
		}
		return b.define(e.text)
	case literal:
		chars := b.chars(e)
		t := b.literals[e.text]
		if t == 0 && len(chars) > 0 {
			b.problems.add(e.Pos, "literal '%s' is no token: no lexer rule is just that", e.text)
		}
		return t
	}
	return 0
}
