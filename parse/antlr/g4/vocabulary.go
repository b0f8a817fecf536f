package g4

import (
	"slices"
	"strings"
)

type vocabulary struct {
	tokens   []Token
	names    map[string]int
	literals map[string]int // with escapes, without quotes
}

func (v *vocabulary) define(name string) int {
	if t, ok := v.names[name]; ok {
		return t
	}
	v.tokens = append(v.tokens, Token{Name: name})
	v.names[name] = len(v.tokens)
	return len(v.tokens)
}

// alias names a token by a literal, unless the literal has a token.
func (v *vocabulary) alias(l literal, t int) {
	if v.literals[l.text] == 0 {
		v.literals[l.text] = t
		if t > 0 && v.tokens[t-1].Literal == "" {
			v.tokens[t-1].Literal = string(l.chars(new(Problems)))
		}
	}
}

func (v *vocabulary) implicit(l literal) int {
	if t := v.literals[l.text]; t != 0 {
		return t
	}
	v.tokens = append(v.tokens, Token{})
	v.alias(l, len(v.tokens))
	return len(v.tokens)
}

func (v *vocabulary) use(src *file, seen map[*file]bool) {
	if src == nil || seen[src] {
		return
	}
	seen[src] = true
	for _, t := range src.types {
		for len(v.tokens) < t.value {
			v.tokens = append(v.tokens, Token{})
		}
		if strings.HasPrefix(t.text, "'") {
			v.alias(literal{ident{t.Pos, strings.TrimSuffix(t.text[1:], "'")}}, t.value)
			continue
		}
		v.names[t.text] = t.value
		v.tokens[t.value-1].Name = t.text
	}
	v.use(src.vocab, seen)
	for _, name := range src.tokens {
		v.define(name.text)
	}
	v.rules(merge(src, new(Problems)).lexerRules())
}

// rules defines the tokens of lexer rules in ANTLR's order: first those of rules that make their own type.
func (v *vocabulary) rules(rules []*Rule) {
	for _, r := range rules {
		if !r.fragment && makesOwnType(r) {
			v.define(r.Name)
		}
	}
	for _, r := range rules {
		if l, ok := aliasOf(r); ok && v.literals[l.text] == 0 {
			v.alias(l, v.define(r.Name))
		}
	}
}

// aliasOf returns the literal of a lexer rule that consists of it. As in ANTLR, an action or up to two commands may
// follow.
func aliasOf(r *Rule) (l literal, ok bool) {
	if r.fragment || len(r.Body.Alts) != 1 || len(r.options) > 0 {
		return l, false
	}
	a := r.Body.Alts[0]
	switch len(a.Elements) {
	case 1:
		l, ok = a.Elements[0].(literal)
		n := len(a.commands)
		return l, ok && (n < 2 || n == 2 && (a.commands[0].arg == nil || a.commands[1].arg == nil))
	case 2:
		if _, isCode := a.Elements[1].(*Code); isCode && len(a.commands) == 0 {
			l, ok = a.Elements[0].(literal)
		}
	}
	return l, ok
}

// makesOwnType reports whether an alternative of a lexer rule makes a token of the rule's own type.
func makesOwnType(r *Rule) bool {
	return slices.ContainsFunc(r.Body.Alts, func(a *Alt) bool {
		return !slices.ContainsFunc(a.commands, func(c lexerCommand) bool {
			return c.name.text == "type" || c.name.text == "more"
		})
	})
}
