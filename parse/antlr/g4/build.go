package g4

import "strings"

// builder makes a Grammar of what the files say.
type builder struct {
	*Grammar
	*vocabulary
	problems    *Problems
	parser      *unit          // nil for a lexer grammar
	lexer       *unit          // nil if nothing makes tokens
	parserRules map[string]int // indexes of Rules
	lexerRules  map[string]int // indexes of LexerRules
	modes       map[string]int
	channels    map[string]int
	fold        bool // the rule at hand ignores case
}

// build makes the grammar of main, of which lexer makes the tokens.
func build(main, lexer *source, problems *Problems) *Grammar {
	b := &builder{
		Grammar:    &Grammar{Name: main.name.text},
		vocabulary: newVocabulary(), problems: problems,
		parserRules: map[string]int{}, lexerRules: map[string]int{},
		modes:    map[string]int{"DEFAULT_MODE": 0},
		channels: map[string]int{"DEFAULT_TOKEN_CHANNEL": 0, "HIDDEN": 1},
	}
	b.Channels = []string{"DEFAULT_TOKEN_CHANNEL", "HIDDEN"}
	switch main.kind {
	case combined:
		b.parser = merge(main, problems)
		b.lexer = b.parser
	case lexerOnly:
		b.lexer = merge(main, problems)
	case parserOnly:
		b.parser = merge(main, problems)
		if lexer != nil && len(lexer.types) == 0 {
			b.lexer = merge(lexer, problems)
		} else {
			b.use(lexer, map[*source]bool{})
		}
	}
	b.defineLexer()
	b.defineParser()
	b.buildLexer()
	b.buildParser()
	b.Tokens = b.tokens
	if len(*problems) == 0 {
		b.check()
	}
	if len(*problems) == 0 {
		b.warn()
	}
	b.Warnings = b.Warnings.sorted()
	return b.Grammar
}

// defineLexer gives numbers to all that the lexer defines.
func (b *builder) defineLexer() {
	if b.lexer == nil {
		return
	}
	b.use(b.lexer.vocab, map[*source]bool{b.lexer.source: true})
	b.Modes = []Mode{{Name: "DEFAULT_MODE"}}
	if b.lexer.kind == lexerOnly {
		b.defineTokens(b.lexer.tokens)
	} else {
		b.defineLiterals()
	}
	b.vocabulary.rules(b.lexer.lexerRules())
	for _, m := range b.lexer.lexer {
		b.defineMode(m)
	}
	for _, c := range b.lexer.channels {
		b.defineChannel(c)
	}
	if b.lexer.kind != lexerOnly {
		b.defineTokens(b.lexer.tokens)
	} else if len(b.LexerRules) == 0 {
		b.problems.add(b.lexer.name.Pos, "lexer grammar %s has no rules", b.lexer.name.text)
	}
}

func (b *builder) defineMode(m *mode) {
	name := m.name.text
	n, ok := b.modes[name]
	if !ok {
		n = len(b.Modes)
		b.modes[name] = n
		b.Modes = append(b.Modes, Mode{Name: name})
		if reservedNames[name] {
			b.problems.add(m.name.Pos, "%s is a reserved name, and no name for a mode", name)
		} else if b.names[name] != 0 {
			b.problems.add(m.name.Pos, "mode %s has the name of a token", name)
		}
	}
	for _, r := range m.rules {
		i := len(b.LexerRules)
		b.lexerRules[r.name.text] = i
		built := &Rule{Pos: r.name.Pos, Name: r.name.text}
		b.LexerRules = append(b.LexerRules, built)
		if !r.fragment {
			b.Modes[n].Rules = append(b.Modes[n].Rules, i)
			built.Type = b.names[r.name.text]
		}
	}
}

func (b *builder) defineChannel(c ident) {
	_, isMode := b.modes[c.text]
	switch {
	case reservedNames[c.text]:
		b.problems.add(c.Pos, "%s is a reserved name, and no name for a channel", c.text)
	case b.names[c.text] != 0:
		b.problems.add(c.Pos, "channel %s has the name of a token", c.text)
	case isMode:
		b.problems.add(c.Pos, "channel %s has the name of a mode", c.text)
	case b.channels[c.text] == 0:
		b.channels[c.text] = len(b.Channels)
		b.Channels = append(b.Channels, c.text)
	}
}

func (b *builder) defineTokens(names []ident) {
	for _, name := range names {
		switch {
		case !isTokenName(name.text):
			b.problems.add(name.Pos, "token %s: the names of tokens begin with a capital letter", name.text)
		case reservedNames[name.text]:
			b.problems.add(name.Pos, "%s is a reserved name, and no name for a token", name.text)
		default:
			b.define(name.text)
		}
	}
}

// defineParser gives numbers to all that the parser defines.
func (b *builder) defineParser() {
	if b.parser == nil {
		return
	}
	if b.parser.kind == parserOnly {
		b.defineTokens(b.parser.tokens)
	}
	for i, r := range b.parser.parserRules {
		b.parserRules[r.name.text] = i
		b.Rules = append(b.Rules, &Rule{Pos: r.name.Pos, Name: r.name.text})
	}
	if len(b.Rules) == 0 {
		b.problems.add(b.parser.name.Pos, "grammar %s has no parser rules", b.parser.name.text)
	}
}

// convert makes a block of the model of one of the syntax. leaf converts the
// elements that mean other things in a lexer than in a parser.
func (b *builder) convert(block *block, leaf func(element) []Element) *Block {
	result := &Block{Pos: block.Pos, Alts: make([]*Alt, 0, len(block.alts))}
	for _, a := range block.alts {
		alt := &Alt{Pos: a.Pos, RightAssoc: a.rightAssoc, Label: a.label}
		for i, e := range a.elements {
			elements := b.element(e, leaf)
			if a.labels[i] != "" && len(elements) == 1 {
				label(elements[0], a.labels[i])
			}
			alt.Elements = append(alt.Elements, elements...)
		}
		result.Alts = append(result.Alts, alt)
	}
	return result
}

// label gives an element a label; one that is repeated gets that of the repetition.
func label(e Element, name string) {
	if r, ok := e.(*Repeat); ok {
		for _, a := range r.Body.Alts {
			for _, e := range a.Elements {
				label(e, name)
			}
		}
	} else if l := labelOf(e); l != nil {
		*l = name
	}
}

func (b *builder) element(e element, leaf func(element) []Element) []Element {
	switch e := e.(type) {
	case *block:
		return []Element{b.convert(e, leaf)}
	case wildcard:
		return []Element{&Any{Pos: e.Pos}}
	case code:
		return []Element{&Code{Pos: e.Pos, Predicate: e.predicate, Text: strings.TrimSpace(e.text)}}
	case repeat:
		r := &Repeat{Pos: e.Pos, Optional: e.optional, Many: e.many, NonGreedy: e.nonGreedy}
		if inner, ok := e.body.(*block); ok {
			r.Body = b.convert(inner, leaf)
		} else {
			r.Body = &Block{Pos: e.Pos, Alts: []*Alt{{Pos: e.Pos, Elements: b.element(e.body, leaf)}}}
		}
		return []Element{r}
	}
	return leaf(e)
}
