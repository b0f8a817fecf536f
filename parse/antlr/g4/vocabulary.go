package g4

import (
	"strings"

	"whittle/parse/antlr/g4/internal/syntax"
)

// vocabulary holds the types of tokens.
type vocabulary struct {
	tokens   []Token
	names    map[string]int
	literals map[string]int // as written, without quotes
}

func newVocabulary() *vocabulary {
	return &vocabulary{names: map[string]int{"EOF": EOF}, literals: map[string]int{}}
}

// define returns the type of a name, a new one if it has none.
func (v *vocabulary) define(name string) int {
	if t, ok := v.names[name]; ok {
		return t
	}
	v.tokens = append(v.tokens, Token{Name: name})
	v.names[name] = len(v.tokens)
	return len(v.tokens)
}

// alias makes a literal another name of a token. The first one for a literal
// wins.
func (v *vocabulary) alias(l syntax.Literal, t int) {
	if v.literals[l.Text] == 0 {
		v.literals[l.Text] = t
		if t > 0 && v.tokens[t-1].Literal == "" {
			v.tokens[t-1].Literal = string(l.Chars(new(Problems)))
		}
	}
}

// implicit defines a token for a literal that no lexer rule stands for.
func (v *vocabulary) implicit(l syntax.Literal) int {
	if t := v.literals[l.Text]; t != 0 {
		return t
	}
	v.tokens = append(v.tokens, Token{})
	v.alias(l, len(v.tokens))
	return len(v.tokens)
}

// use takes the types of a grammar or .tokens file.
func (v *vocabulary) use(src *syntax.File, seen map[*syntax.File]bool) {
	if src == nil || seen[src] {
		return
	}
	seen[src] = true
	for _, t := range src.Types {
		for len(v.tokens) < t.Value {
			v.tokens = append(v.tokens, Token{})
		}
		if strings.HasPrefix(t.Text, "'") {
			l := syntax.Literal{Ident: syntax.Ident{Pos: t.Pos, Text: strings.TrimSuffix(t.Text[1:], "'")}}
			v.alias(l, t.Value)
			continue
		}
		v.names[t.Text] = t.Value
		v.tokens[t.Value-1].Name = t.Text
	}
	v.use(src.Vocab, seen)
	for _, name := range src.Tokens {
		v.define(name.Text)
	}
	v.rules(merge(src, new(Problems)).lexerRules())
}

// rules defines what lexer rules make: first those that make tokens of their
// own, as ANTLR numbers them.
func (v *vocabulary) rules(rules []*syntax.Rule) {
	for _, r := range rules {
		if !r.Fragment && !makesOthers(r) {
			v.define(r.Name.Text)
		}
	}
	for _, r := range rules {
		if l, ok := aliasOf(r); ok && v.literals[l.Text] == 0 {
			v.alias(l, v.define(r.Name.Text))
		}
	}
}

// aliasOf returns the literal that a lexer rule is another name of: it has nothing
// else, but for an action or up to two commands, as ANTLR has it.
func aliasOf(r *syntax.Rule) (l syntax.Literal, ok bool) {
	if r.Fragment || len(r.Body.Alts) != 1 || len(r.Options) > 0 {
		return l, false
	}
	a := r.Body.Alts[0]
	switch len(a.Elements) {
	case 1:
		l, ok = a.Elements[0].(syntax.Literal)
		n := len(a.Commands)
		return l, ok && (n < 2 || n == 2 && (a.Commands[0].Arg == nil || a.Commands[1].Arg == nil))
	case 2:
		if _, isCode := a.Elements[1].(syntax.Code); isCode && len(a.Commands) == 0 {
			l, ok = a.Elements[0].(syntax.Literal)
		}
	}
	return l, ok
}

// makesOthers reports whether no alternative of a lexer rule ends as its own token.
func makesOthers(r *syntax.Rule) bool {
	for _, a := range r.Body.Alts {
		own := true
		for _, c := range a.Commands {
			if c.Name.Text == "type" || c.Name.Text == "more" {
				own = false
			}
		}
		if own {
			return false
		}
	}
	return true
}
