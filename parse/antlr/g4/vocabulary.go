package g4

import "strings"

// vocabulary holds the types of tokens.
type vocabulary struct {
	tokens   []Token
	names    map[string]int
	literals map[string]int // as written, without quotes
}

func newVocabulary() *vocabulary {
	return &vocabulary{names: map[string]int{"EOF": EOF}, literals: map[string]int{}}
}

// define gives the type of a name, a new one if it has none.
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
func (v *vocabulary) alias(l literal, t int) {
	if v.literals[l.text] == 0 {
		v.literals[l.text] = t
		if t > 0 && v.tokens[t-1].Literal == "" {
			v.tokens[t-1].Literal = string(l.chars(new(Problems)))
		}
	}
}

// implicit defines a token for a literal that no lexer rule stands for.
func (v *vocabulary) implicit(l literal) int {
	if t := v.literals[l.text]; t != 0 {
		return t
	}
	v.tokens = append(v.tokens, Token{})
	v.alias(l, len(v.tokens))
	return len(v.tokens)
}

// use takes the types of a grammar or .tokens file.
func (v *vocabulary) use(src *source, seen map[*source]bool) {
	if src == nil || seen[src] {
		return
	}
	seen[src] = true
	for _, t := range src.types {
		for len(v.tokens) < t.value {
			v.tokens = append(v.tokens, Token{})
		}
		if strings.HasPrefix(t.text, "'") {
			l := literal{ident{t.Pos, strings.TrimSuffix(t.text[1:], "'")}}
			v.alias(l, t.value)
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

// rules defines what lexer rules make: first those that make tokens of their
// own, as ANTLR numbers them.
func (v *vocabulary) rules(rules []*rule) {
	for _, r := range rules {
		if !r.fragment && !r.makesOthers() {
			v.define(r.name.text)
		}
	}
	for _, r := range rules {
		if l, ok := r.alias(); ok && v.literals[l.text] == 0 {
			v.alias(l, v.define(r.name.text))
		}
	}
}

// alias gives the literal that a lexer rule is another name of: it has nothing
// else, but for an action or up to two commands, as ANTLR has it.
func (r *rule) alias() (l literal, ok bool) {
	if r.fragment || len(r.body.alts) != 1 || len(r.options) > 0 {
		return l, false
	}
	a := r.body.alts[0]
	switch len(a.elements) {
	case 1:
		l, ok = a.elements[0].(literal)
		n := len(a.commands)
		return l, ok && (n < 2 || n == 2 && (a.commands[0].arg == nil || a.commands[1].arg == nil))
	case 2:
		if _, isCode := a.elements[1].(code); isCode && len(a.commands) == 0 {
			l, ok = a.elements[0].(literal)
		}
	}
	return l, ok
}

// makesOthers is true if no alternative of a lexer rule ends as its own token.
func (r *rule) makesOthers() bool {
	for _, a := range r.body.alts {
		own := true
		for _, c := range a.commands {
			if c.name.text == "type" || c.name.text == "more" {
				own = false
			}
		}
		if own {
			return false
		}
	}
	return true
}
