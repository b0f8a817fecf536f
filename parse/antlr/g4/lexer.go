package g4

import (
	"fmt"
	"strconv"
)

// defineLiterals defines the tokens of literals in a combined grammar that no
// lexer rule stands for, and makes rules for them.
func (b *builder) defineLiterals() {
	named := map[string]bool{}
	for _, r := range b.lexer.lexerRules() {
		if l, ok := r.alias(); ok {
			named[l.text] = true
		}
	}
	b.fold = b.folds(nil)
	for _, r := range b.lexer.parserRules {
		eachLiteral(r.body, func(l literal) {
			if named[l.text] {
				return
			}
			named[l.text] = true
			body := &Block{Pos: l.Pos, Alts: []*Alt{{Pos: l.Pos, Elements: b.literal(l)}}}
			n := len(b.LexerRules)
			b.Modes[0].Rules = append(b.Modes[0].Rules, n)
			b.LexerRules = append(b.LexerRules, &Rule{Pos: l.Pos, Name: fmt.Sprintf("T__%d", n), Type: b.implicit(l), Body: body,
				Commands: make([][]Command, 1)})
		})
	}
}

// eachLiteral calls visit for each literal in a block.
func eachLiteral(b *block, visit func(literal)) {
	var walk func(element)
	walk = func(e element) {
		switch e := e.(type) {
		case literal:
			visit(e)
		case not:
			walk(e.of)
		case repeat:
			walk(e.body)
		case *block:
			eachLiteral(e, visit)
		}
	}
	for _, a := range b.alts {
		for _, e := range a.elements {
			walk(e)
		}
	}
}

// folds tells if a lexer rule ignores case, or for nil if the lexer does.
func (b *builder) folds(r *rule) bool {
	value := b.lexer.option("caseInsensitive")
	if r != nil {
		if own := findOption(r.options, "caseInsensitive"); own != nil {
			value = own
		}
	}
	return value != nil && value.text == "true"
}

// buildLexer makes the bodies of the lexer rules.
func (b *builder) buildLexer() {
	if b.lexer == nil {
		return
	}
	for _, r := range b.lexer.lexerRules() {
		b.fold = b.folds(r)
		built := b.LexerRules[b.lexerRules[r.name.text]]
		leaf := func(e element) []Element { return b.lexerElement(r, e) }
		built.Body = b.convert(r.body, leaf)
		for _, a := range r.body.alts {
			built.Commands = append(built.Commands, b.commands(r, a))
			b.forbidCommands(r, a)
		}
	}
}

func (b *builder) lexerElement(r *rule, e element) []Element {
	switch e := e.(type) {
	case ref:
		return b.lexerReference(r, e)
	case literal:
		return b.literal(e)
	case not:
		if members := b.lexerSet(e.of); members != nil {
			return []Element{&Set{Pos: e.Pos, Not: true, Ranges: members}}
		}
	default:
		if members := b.lexerSet(e); members != nil {
			return []Element{&Set{Pos: e.pos(), Ranges: members}}
		}
	}
	return nil
}

func (b *builder) lexerReference(r *rule, e ref) []Element {
	if e.text == "EOF" {
		return []Element{&TokenRef{Pos: e.Pos, Type: EOF}}
	}
	i, ok := b.lexerRules[e.text]
	switch {
	case !isTokenName(e.text):
		b.problems.add(e.Pos, "lexer rule %s refers to parser rule %s", r.name.text, e.text)
	case !ok:
		b.problems.add(e.Pos, "lexer rule %s is not defined", e.text)
	default:
		return []Element{&RuleRef{Pos: e.Pos, Rule: i}}
	}
	return nil
}

// literal gives a set for each character.
func (b *builder) literal(l literal) (sets []Element) {
	for _, c := range b.chars(l) {
		sets = append(sets, &Set{Pos: l.Pos, Ranges: tidy(appendFolded(nil, int(c), int(c), b.fold))})
	}
	return sets
}

func (b *builder) chars(l literal) []rune {
	chars := l.chars(b.problems)
	if chars != nil && len(chars) == 0 {
		b.problems.add(l.Pos, "literal is empty")
	}
	return chars
}

// lexerSet gives the characters of an element that is one character, or of
// alternatives that are; nil if something is wrong.
func (b *builder) lexerSet(e element) (members []Range) {
	switch e := e.(type) {
	case charSet:
		return e.ranges(b.fold, b.problems)
	case literal:
		if c, ok := b.char(e); ok {
			members = appendFolded(nil, c, c, b.fold)
		}
	case span:
		from, ok := b.char(e.from)
		to, ok2 := b.char(e.to)
		if !ok || !ok2 {
			return nil
		}
		if from > to {
			b.problems.add(e.from.Pos, "range '%s'..'%s' is reversed", e.from.text, e.to.text)
			return nil
		}
		members = appendFolded(nil, from, to, b.fold)
	case ref:
		b.problems.add(e.Pos, "%s cannot stand in a set, only characters can", e.text)
	case *block:
		for _, a := range e.alts {
			members = append(members, b.lexerSet(a.elements[0])...)
		}
	}
	return tidy(members)
}

// char gives the character of a literal that is just one.
func (b *builder) char(l literal) (int, bool) {
	chars := b.chars(l)
	if len(chars) > 1 {
		b.problems.add(l.Pos, "'%s' has more than one character", l.text)
	}
	if len(chars) != 1 {
		return 0, false
	}
	return int(chars[0]), true
}

var commandKinds = map[string]CommandKind{
	"skip": Skip, "more": More, "type": Type, "channel": Channel, "mode": SetMode, "pushMode": PushMode, "popMode": PopMode,
}

// commands resolves the commands of an alternative of a rule.
func (b *builder) commands(r *rule, a *alt) (commands []Command) {
	for _, c := range a.commands {
		kind, ok := commandKinds[c.name.text]
		wantsArg := kind == Type || kind == Channel || kind == SetMode || kind == PushMode
		switch {
		case !ok:
			b.problems.add(c.name.Pos, "unknown lexer command %s", c.name.text)
			continue
		case wantsArg && c.arg == nil:
			b.problems.add(c.name.Pos, "lexer command %s needs an argument", c.name.text)
			continue
		case !wantsArg && c.arg != nil:
			b.problems.add(c.name.Pos, "lexer command %s takes no argument", c.name.text)
			continue
		}
		resolved := Command{Kind: kind}
		if wantsArg {
			resolved.Arg = b.argument(kind, *c.arg)
		}
		commands = append(commands, resolved)
	}
	if r.fragment { // ANTLR ignores them too
		return nil
	}
	return commands
}

// argument gives what the argument of a command stands for, a name or number.
func (b *builder) argument(kind CommandKind, arg ident) int {
	names, limit, what := b.modes, len(b.Modes)-1, "mode"
	switch kind {
	case Type:
		names, limit, what = b.names, len(b.tokens), "token"
	case Channel:
		names, limit, what = b.channels, maxType, "channel"
	}
	if n, ok := names[arg.text]; ok {
		return n
	}
	n, err := strconv.Atoi(arg.text)
	switch {
	case !isDigit(arg.text[0]):
		b.problems.add(arg.Pos, "%s %s is not defined", what, arg.text)
	case err != nil || n > limit || kind == Type && n == 0:
		b.problems.add(arg.Pos, "there is no %s %s", what, arg.text)
	}
	return n
}

// forbidCommands reports commands in brackets.
func (b *builder) forbidCommands(r *rule, a *alt) {
	for _, e := range a.elements {
		if rep, ok := e.(repeat); ok {
			e = rep.body
		}
		inner, ok := e.(*block)
		if !ok {
			continue
		}
		for _, a := range inner.alts {
			if len(a.commands) > 0 {
				b.problems.add(a.commands[0].name.Pos, "lexer command %s must stand at the end of rule %s, not in brackets",
					a.commands[0].name.text, r.name.text)
			}
			b.forbidCommands(r, a)
		}
	}
}
