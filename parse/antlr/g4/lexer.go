package g4

import (
	"fmt"
	"strconv"

	"whittle/parse/antlr/g4/internal/chars"
	"whittle/parse/antlr/g4/internal/syntax"
)

// defineLiterals defines the tokens of literals in a combined grammar that no
// lexer rule stands for, and makes rules for them.
func (b *builder) defineLiterals() {
	named := map[string]bool{}
	for _, r := range b.lexer.lexerRules() {
		if l, ok := aliasOf(r); ok {
			named[l.Text] = true
		}
	}
	b.fold = b.folds(nil)
	for _, r := range b.lexer.parserRules {
		eachLiteral(r.Body, func(l syntax.Literal) {
			if named[l.Text] {
				return
			}
			named[l.Text] = true
			body := &Block{Pos: l.Pos, Alts: []*Alt{{Pos: l.Pos, Elements: b.literal(l)}}}
			n := len(b.LexerRules)
			b.Modes[0].Rules = append(b.Modes[0].Rules, n)
			b.LexerRules = append(b.LexerRules, &Rule{Pos: l.Pos, Name: fmt.Sprintf("T__%d", n), Type: b.implicit(l), Body: body,
				Commands: make([][]Command, 1)})
		})
	}
}

// eachLiteral calls visit for each literal in a block.
func eachLiteral(b *syntax.Block, visit func(syntax.Literal)) {
	var walk func(syntax.Element)
	walk = func(e syntax.Element) {
		switch e := e.(type) {
		case syntax.Literal:
			visit(e)
		case syntax.Not:
			walk(e.Of)
		case syntax.Repeat:
			walk(e.Body)
		case *syntax.Block:
			eachLiteral(e, visit)
		}
	}
	for _, a := range b.Alts {
		for _, e := range a.Elements {
			walk(e)
		}
	}
}

// folds reports whether a lexer rule ignores case, or for nil whether the lexer does.
func (b *builder) folds(r *syntax.Rule) bool {
	value := b.lexer.Option("caseInsensitive")
	if r != nil {
		if own := syntax.FindOption(r.Options, "caseInsensitive"); own != nil {
			value = own
		}
	}
	return value != nil && value.Text == "true"
}

// buildLexer makes the bodies of the lexer rules.
func (b *builder) buildLexer() {
	if b.lexer == nil {
		return
	}
	for _, r := range b.lexer.lexerRules() {
		b.fold = b.folds(r)
		built := b.LexerRules[b.lexerRules[r.Name.Text]]
		leaf := func(e syntax.Element) []Element { return b.lexerElement(r, e) }
		built.Body = b.convert(r.Body, leaf)
		for _, a := range r.Body.Alts {
			built.Commands = append(built.Commands, b.commands(r, a))
			b.forbidCommands(r, a)
		}
	}
}

func (b *builder) lexerElement(r *syntax.Rule, e syntax.Element) []Element {
	switch e := e.(type) {
	case syntax.Ref:
		return b.lexerReference(r, e)
	case syntax.Literal:
		return b.literal(e)
	case syntax.Not:
		if members := b.lexerSet(e.Of); members != nil {
			return []Element{&Set{Pos: e.Pos, Not: true, Ranges: members}}
		}
	default:
		if members := b.lexerSet(e); members != nil {
			return []Element{&Set{Pos: e.At(), Ranges: members}}
		}
	}
	return nil
}

func (b *builder) lexerReference(r *syntax.Rule, e syntax.Ref) []Element {
	if e.Text == "EOF" {
		return []Element{&TokenRef{Pos: e.Pos, Type: EOF}}
	}
	i, ok := b.lexerRules[e.Text]
	switch {
	case !syntax.IsTokenName(e.Text):
		b.problems.Add(e.Pos, "lexer rule %s refers to parser rule %s", r.Name.Text, e.Text)
	case !ok:
		b.problems.Add(e.Pos, "lexer rule %s is not defined", e.Text)
	default:
		return []Element{&RuleRef{Pos: e.Pos, Rule: i}}
	}
	return nil
}

// literal returns a set for each character.
func (b *builder) literal(l syntax.Literal) (sets []Element) {
	for _, c := range b.chars(l) {
		sets = append(sets, &Set{Pos: l.Pos, Ranges: chars.Tidy(chars.AppendFolded(nil, int(c), int(c), b.fold))})
	}
	return sets
}

func (b *builder) chars(l syntax.Literal) []rune {
	chars := l.Chars(b.problems)
	if chars != nil && len(chars) == 0 {
		b.problems.Add(l.Pos, "literal is empty")
	}
	return chars
}

// lexerSet returns the characters of an element that is one character, or of
// alternatives that are; nil if something is wrong.
func (b *builder) lexerSet(e syntax.Element) (members []Range) {
	switch e := e.(type) {
	case syntax.CharSet:
		return e.Ranges(b.fold, b.problems)
	case syntax.Literal:
		if c, ok := b.char(e); ok {
			members = chars.AppendFolded(nil, c, c, b.fold)
		}
	case syntax.Span:
		from, ok := b.char(e.From)
		to, ok2 := b.char(e.To)
		if !ok || !ok2 {
			return nil
		}
		if from > to {
			b.problems.Add(e.From.Pos, "range '%s'..'%s' is reversed", e.From.Text, e.To.Text)
			return nil
		}
		members = chars.AppendFolded(nil, from, to, b.fold)
	case syntax.Ref:
		b.problems.Add(e.Pos, "%s cannot stand in a set, only characters can", e.Text)
	case *syntax.Block:
		for _, a := range e.Alts {
			members = append(members, b.lexerSet(a.Elements[0])...)
		}
	}
	return chars.Tidy(members)
}

// char returns the character of a literal that is just one.
func (b *builder) char(l syntax.Literal) (int, bool) {
	chars := b.chars(l)
	if len(chars) > 1 {
		b.problems.Add(l.Pos, "'%s' has more than one character", l.Text)
	}
	if len(chars) != 1 {
		return 0, false
	}
	return int(chars[0]), true
}

var commandKinds = map[string]CommandKind{
	"skip": Skip, "more": More, "type": Type, "channel": Channel, "mode": SetMode,
	"pushMode": PushMode, "popMode": PopMode,
}

// commands resolves the commands of an alternative of a rule.
func (b *builder) commands(r *syntax.Rule, a *syntax.Alt) (commands []Command) {
	for _, c := range a.Commands {
		kind, ok := commandKinds[c.Name.Text]
		wantsArg := kind == Type || kind == Channel || kind == SetMode || kind == PushMode
		switch {
		case !ok:
			b.problems.Add(c.Name.Pos, "unknown lexer command %s", c.Name.Text)
			continue
		case wantsArg && c.Arg == nil:
			b.problems.Add(c.Name.Pos, "lexer command %s needs an argument", c.Name.Text)
			continue
		case !wantsArg && c.Arg != nil:
			b.problems.Add(c.Name.Pos, "lexer command %s takes no argument", c.Name.Text)
			continue
		}
		resolved := Command{Kind: kind}
		if wantsArg {
			resolved.Arg = b.argument(kind, *c.Arg)
		}
		commands = append(commands, resolved)
	}
	if r.Fragment { // ANTLR ignores them too
		return nil
	}
	return commands
}

// argument returns what the argument of a command stands for, a name or number.
func (b *builder) argument(kind CommandKind, arg syntax.Ident) int {
	names, limit, what := b.modes, len(b.Modes)-1, "mode"
	switch kind {
	case Type:
		names, limit, what = b.names, len(b.tokens), "token"
	case Channel:
		names, limit, what = b.channels, syntax.MaxType, "channel"
	}
	if n, ok := names[arg.Text]; ok {
		return n
	}
	n, err := strconv.Atoi(arg.Text)
	switch {
	case arg.Text[0] < '0' || arg.Text[0] > '9':
		b.problems.Add(arg.Pos, "%s %s is not defined", what, arg.Text)
	case err != nil || n > limit || kind == Type && n == 0:
		b.problems.Add(arg.Pos, "there is no %s %s", what, arg.Text)
	}
	return n
}

// forbidCommands reports commands in brackets.
func (b *builder) forbidCommands(r *syntax.Rule, a *syntax.Alt) {
	for _, e := range a.Elements {
		if rep, ok := e.(syntax.Repeat); ok {
			e = rep.Body
		}
		inner, ok := e.(*syntax.Block)
		if !ok {
			continue
		}
		for _, a := range inner.Alts {
			if len(a.Commands) > 0 {
				b.problems.Add(a.Commands[0].Name.Pos, "lexer command %s must stand at the end of rule %s, not in brackets",
					a.Commands[0].Name.Text, r.Name.Text)
			}
			b.forbidCommands(r, a)
		}
	}
}
