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
		modes:    map[string]int{},
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
	if b.lexer.kind == lexerOnly {
		b.defineTokens(b.lexer.tokens)
	} else {
		b.defineLiterals()
	}
	for i, m := range b.lexer.lexerModes {
		name := m.name.text
		if i > 0 && reservedNames[name] {
			b.problems.add(m.name.Pos, "%s is a reserved name, and no name for a mode", name)
		}
		b.modes[name] = i
		mode := Mode{Name: name}
		for _, r := range m.rules {
			n := len(b.LexerRules)
			b.lexerRules[r.name.text] = n
			if !r.fragment {
				mode.Rules = append(mode.Rules, n)
			}
			b.LexerRules = append(b.LexerRules, &Rule{Pos: r.name.Pos, Name: r.name.text, Type: b.vocabulary.rule(r)})
		}
		if i == 0 && len(b.Modes) > 0 { // the rules of literals come first
			b.Modes[0].Rules = append(b.Modes[0].Rules, mode.Rules...)
			continue
		}
		b.Modes = append(b.Modes, mode)
	}
	for _, c := range b.lexer.channels {
		b.defineChannel(c)
	}
	for _, m := range b.lexer.lexerModes[1:] {
		if b.names[m.name.text] != 0 {
			b.problems.add(m.name.Pos, "mode %s has the name of a token", m.name.text)
		}
	}
	if b.lexer.kind != lexerOnly {
		b.defineTokens(b.lexer.tokens)
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
		alt := &Alt{Pos: a.Pos, RightAssoc: a.rightAssoc}
		for _, e := range a.elements {
			alt.Elements = append(alt.Elements, b.element(e, leaf)...)
		}
		result.Alts = append(result.Alts, alt)
	}
	return result
}

func (b *builder) element(e element, leaf func(element) []Element) []Element {
	switch e := e.(type) {
	case *block:
		return []Element{b.convert(e, leaf)}
	case wildcard:
		return []Element{&Any{e.Pos}}
	case code:
		return []Element{&Code{Pos: e.Pos, Predicate: e.predicate, Text: strings.TrimSpace(e.text)}}
	case repeat:
		r := &Repeat{Pos: e.Pos, Optional: e.optional, Many: e.many, NonGreedy: e.nonGreedy}
		body := b.element(e.body, leaf)
		if block, ok := e.body.(*block); ok && len(body) == 1 {
			r.Body, _ = body[0].(*Block)
			r.Body.Pos = block.Pos
		} else {
			r.Body = &Block{e.Pos, []*Alt{{Pos: e.Pos, Elements: body}}}
		}
		return []Element{r}
	}
	return leaf(e)
}
