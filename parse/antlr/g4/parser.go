package g4

import (
	"whittle/parse/antlr/g4/internal/chars"
	"whittle/parse/antlr/g4/internal/syntax"
)

// buildParser makes the bodies of the parser rules.
func (b *builder) buildParser() {
	if b.parser == nil {
		return
	}
	for i, r := range b.parser.parserRules {
		b.Rules[i].Body = b.convert(r.Body, b.parserElement)
	}
}

func (b *builder) parserElement(e syntax.Element) []Element {
	switch e := e.(type) {
	case syntax.Ref:
		if syntax.IsTokenName(e.Text) {
			return []Element{&TokenRef{Pos: e.Pos, Type: b.token(e)}}
		}
		if i, ok := b.parserRules[e.Text]; ok {
			return []Element{&RuleRef{Pos: e.Pos, Rule: i}}
		}
		b.problems.Add(e.Pos, "rule %s is not defined", e.Text)
	case syntax.Literal:
		return []Element{&TokenRef{Pos: e.Pos, Type: b.token(e)}}
	case syntax.Not:
		return []Element{&Set{Pos: e.Pos, Not: true, Ranges: chars.Tidy(b.tokenSet(e.Of))}}
	default:
		b.tokenSet(e)
	}
	return nil
}

// tokenSet returns the types of an element that is one token, or of alternatives
// that are.
func (b *builder) tokenSet(e syntax.Element) (members []Range) {
	switch e := e.(type) {
	case syntax.Ref, syntax.Literal:
		t := b.token(e)
		return []Range{{From: t, To: t}}
	case syntax.Span:
		b.problems.Add(e.From.Pos, "range '%s'..'%s' in a parser rule: ranges are for lexer rules", e.From.Text, e.To.Text)
	case *syntax.Block:
		for _, a := range e.Alts {
			members = append(members, b.tokenSet(a.Elements[0])...)
		}
	}
	return members
}

// token returns the type of a name or literal.
func (b *builder) token(e syntax.Element) int {
	switch e := e.(type) {
	case syntax.Ref:
		if t, ok := b.names[e.Text]; ok {
			return t
		}
		if reservedNames[e.Text] {
			b.problems.Add(e.Pos, "%s is a reserved name, and no token", e.Text)
		}
		return b.define(e.Text)
	case syntax.Literal:
		chars := b.chars(e)
		t := b.literals[e.Text]
		if t == 0 && len(chars) > 0 {
			b.problems.Add(e.Pos, "literal '%s' is no token: no lexer rule is just that", e.Text)
		}
		return t
	}
	return 0
}
