package g4

import (
	"strings"

	"whittle/parse/antlr/g4/internal/syntax"
)

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
func build(main, lexer *syntax.File, problems *Problems) *Grammar {
	b := &builder{
		Grammar:    &Grammar{Name: main.Name.Text},
		vocabulary: newVocabulary(), problems: problems,
		parserRules: map[string]int{}, lexerRules: map[string]int{},
		modes:    map[string]int{"DEFAULT_MODE": 0},
		channels: map[string]int{"DEFAULT_TOKEN_CHANNEL": 0, "HIDDEN": 1},
	}
	b.Channels = []string{"DEFAULT_TOKEN_CHANNEL", "HIDDEN"}
	switch main.Kind {
	case syntax.Combined:
		b.parser = merge(main, problems)
		b.lexer = b.parser
	case syntax.LexerOnly:
		b.lexer = merge(main, problems)
	case syntax.ParserOnly:
		b.parser = merge(main, problems)
		if lexer != nil && len(lexer.Types) == 0 {
			b.lexer = merge(lexer, problems)
		} else {
			b.use(lexer, map[*syntax.File]bool{})
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
	b.Warnings = b.Warnings.Sorted()
	return b.Grammar
}

// defineLexer gives numbers to all that the lexer defines.
func (b *builder) defineLexer() {
	if b.lexer == nil {
		return
	}
	b.use(b.lexer.Vocab, map[*syntax.File]bool{b.lexer.File: true})
	b.Modes = []Mode{{Name: "DEFAULT_MODE"}}
	if b.lexer.Kind == syntax.LexerOnly {
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
	if b.lexer.Kind != syntax.LexerOnly {
		b.defineTokens(b.lexer.tokens)
	} else if len(b.LexerRules) == 0 {
		b.problems.Add(b.lexer.Name.Pos, "lexer grammar %s has no rules", b.lexer.Name.Text)
	}
}

func (b *builder) defineMode(m *syntax.Mode) {
	name := m.Name.Text
	n, ok := b.modes[name]
	if !ok {
		n = len(b.Modes)
		b.modes[name] = n
		b.Modes = append(b.Modes, Mode{Name: name})
		if reservedNames[name] {
			b.problems.Add(m.Name.Pos, "%s is a reserved name, and no name for a mode", name)
		} else if b.names[name] != 0 {
			b.problems.Add(m.Name.Pos, "mode %s has the name of a token", name)
		}
	}
	for _, r := range m.Rules {
		i := len(b.LexerRules)
		b.lexerRules[r.Name.Text] = i
		built := &Rule{Pos: r.Name.Pos, Name: r.Name.Text}
		b.LexerRules = append(b.LexerRules, built)
		if !r.Fragment {
			b.Modes[n].Rules = append(b.Modes[n].Rules, i)
			built.Type = b.names[r.Name.Text]
		}
	}
}

func (b *builder) defineChannel(c syntax.Ident) {
	_, isMode := b.modes[c.Text]
	switch {
	case reservedNames[c.Text]:
		b.problems.Add(c.Pos, "%s is a reserved name, and no name for a channel", c.Text)
	case b.names[c.Text] != 0:
		b.problems.Add(c.Pos, "channel %s has the name of a token", c.Text)
	case isMode:
		b.problems.Add(c.Pos, "channel %s has the name of a mode", c.Text)
	case b.channels[c.Text] == 0:
		b.channels[c.Text] = len(b.Channels)
		b.Channels = append(b.Channels, c.Text)
	}
}

func (b *builder) defineTokens(names []syntax.Ident) {
	for _, name := range names {
		switch {
		case !syntax.IsTokenName(name.Text):
			b.problems.Add(name.Pos, "token %s: the names of tokens begin with a capital letter", name.Text)
		case reservedNames[name.Text]:
			b.problems.Add(name.Pos, "%s is a reserved name, and no name for a token", name.Text)
		default:
			b.define(name.Text)
		}
	}
}

// defineParser gives numbers to all that the parser defines.
func (b *builder) defineParser() {
	if b.parser == nil {
		return
	}
	if b.parser.Kind == syntax.ParserOnly {
		b.defineTokens(b.parser.tokens)
	}
	for i, r := range b.parser.parserRules {
		b.parserRules[r.Name.Text] = i
		b.Rules = append(b.Rules, &Rule{Pos: r.Name.Pos, Name: r.Name.Text})
	}
	if len(b.Rules) == 0 {
		b.problems.Add(b.parser.Name.Pos, "grammar %s has no parser rules", b.parser.Name.Text)
	}
}

// convert makes a block of the model of one of the syntax. leaf converts the
// elements that mean other things in a lexer than in a parser.
func (b *builder) convert(block *syntax.Block, leaf func(syntax.Element) []Element) *Block {
	result := &Block{Pos: block.Pos, Alts: make([]*Alt, 0, len(block.Alts))}
	for _, a := range block.Alts {
		alt := &Alt{Pos: a.Pos, RightAssoc: a.RightAssoc, Label: a.Label}
		for i, e := range a.Elements {
			elements := b.element(e, leaf)
			if a.Labels[i] != "" && len(elements) == 1 {
				label(elements[0], a.Labels[i])
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

func (b *builder) element(e syntax.Element, leaf func(syntax.Element) []Element) []Element {
	switch e := e.(type) {
	case *syntax.Block:
		return []Element{b.convert(e, leaf)}
	case syntax.Wildcard:
		return []Element{&Any{Pos: e.Pos}}
	case syntax.Code:
		return []Element{&Code{Pos: e.Pos, Predicate: e.Predicate, Text: strings.TrimSpace(e.Text)}}
	case syntax.Repeat:
		r := &Repeat{Pos: e.Pos, Optional: e.Optional, Many: e.Many, NonGreedy: e.NonGreedy}
		if inner, ok := e.Body.(*syntax.Block); ok {
			r.Body = b.convert(inner, leaf)
		} else {
			r.Body = &Block{Pos: e.Pos, Alts: []*Alt{{Pos: e.Pos, Elements: b.element(e.Body, leaf)}}}
		}
		return []Element{r}
	}
	return leaf(e)
}
