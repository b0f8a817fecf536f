package g4

type builder struct {
	*Grammar
	*vocabulary
	problems    *Problems
	parser      *unit // nil for a lexer grammar
	lexer       *unit // nil if the grammar has no lexer
	parserRules map[string]int
	lexerRules  map[string]int
	modes       map[string]int
	channels    map[string]int
	fold        bool
}

func build(main, lexer *file, problems *Problems) *Grammar {
	b := &builder{
		Grammar:    &Grammar{Name: main.name.text},
		vocabulary: &vocabulary{names: map[string]int{"EOF": EOF}, literals: map[string]int{}}, problems: problems,
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
			b.use(lexer, map[*file]bool{})
		}
	}
	b.defineLexer()
	b.defineParser()
	b.buildLexer()
	for _, r := range b.Rules {
		b.resolve(r.Body, b.parserElement)
	}
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

func (b *builder) defineLexer() {
	if b.lexer == nil {
		return
	}
	b.use(b.lexer.vocab, map[*file]bool{b.lexer.file: true})
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

func (b *builder) defineMode(m *section) {
	name := m.name.text
	n, ok := b.modes[name]
	if !ok {
		n = len(b.Modes)
		b.modes[name] = n
		b.Modes = append(b.Modes, Mode{Name: name})
		if reservedNames[name] {
			b.problems.add(m.name.Pos, "%s is reserved and cannot be the name of a mode", name)
		} else if b.names[name] != 0 {
			b.problems.add(m.name.Pos, "mode %s has the name of a token", name)
		}
	}
	for _, r := range m.rules {
		i := len(b.LexerRules)
		b.lexerRules[r.Name] = i
		b.LexerRules = append(b.LexerRules, r)
		if !r.fragment {
			b.Modes[n].Rules = append(b.Modes[n].Rules, i)
			r.Type = b.names[r.Name]
		}
	}
}

func (b *builder) defineChannel(c ident) {
	_, isMode := b.modes[c.text]
	switch {
	case reservedNames[c.text]:
		b.problems.add(c.Pos, "%s is reserved and cannot be the name of a channel", c.text)
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
			b.problems.add(name.Pos, "token %s: token names must begin with a capital letter", name.text)
		case reservedNames[name.text]:
			b.problems.add(name.Pos, "%s is reserved and cannot be the name of a token", name.text)
		default:
			b.define(name.text)
		}
	}
}

func (b *builder) defineParser() {
	if b.parser == nil {
		return
	}
	if b.parser.kind == parserOnly {
		b.defineTokens(b.parser.tokens)
	}
	for i, r := range b.parser.parserRules {
		b.parserRules[r.Name] = i
		b.Rules = append(b.Rules, r)
	}
	if len(b.Rules) == 0 {
		b.problems.add(b.parser.name.Pos, "grammar %s has no parser rules", b.parser.name.text)
	}
}

func (b *builder) resolve(block *Block, leaf func(Element) []Element) {
	for _, a := range block.Alts {
		var resolved []Element
		for i, e := range a.Elements {
			elements := []Element{e}
			switch e.(type) {
			case *Set, *Code:
			case *Block, *Repeat:
				b.resolve(blockOf(e), leaf)
			default:
				elements = leaf(e)
			}
			if a.labels != nil && a.labels[i] != "" && len(elements) == 1 {
				label(elements[0], a.labels[i])
			}
			resolved = append(resolved, elements...)
		}
		a.Elements = resolved
	}
}

func label(e Element, name string) {
	if r, ok := e.(*Repeat); ok {
		for _, a := range r.Body.Alts {
			for _, e := range a.Elements {
				label(e, name)
			}
		}
	} else if l, ok := e.(interface{ label() *Label }); ok {
		*l.label() = Label(name)
	}
}

func (b *builder) parserElement(e Element) []Element {
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

func (b *builder) tokenSet(e Element) (members []Range) {
	switch e := e.(type) {
	case ref, literal:
		t := b.token(e)
		return []Range{{From: t, To: t}}
	case span:
		b.problems.add(e.from.Pos, "range '%s'..'%s' in a parser rule: only lexer rules can have ranges", e.from.text,
			e.to.text)
	case *Block:
		for _, a := range e.Alts {
			members = append(members, b.tokenSet(a.Elements[0])...)
		}
	}
	return members
}

func (b *builder) token(e Element) int {
	switch e := e.(type) {
	case ref:
		if t, ok := b.names[e.text]; ok {
			return t
		}
		if reservedNames[e.text] {
			b.problems.add(e.Pos, "%s is reserved and cannot be the name of a token", e.text)
		}
		return b.define(e.text)
	case literal:
		chars := b.chars(e)
		t := b.literals[e.text]
		if t == 0 && len(chars) > 0 {
			b.problems.add(e.Pos, "literal '%s' is not a token: no lexer rule consists of it", e.text)
		}
		return t
	}
	return 0
}
