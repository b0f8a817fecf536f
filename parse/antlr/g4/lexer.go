package g4

import (
	"fmt"
	"strconv"
)

func (b *builder) defineLiterals() {
	named := map[string]bool{}
	for _, r := range b.lexer.lexerRules() {
		if l, ok := aliasOf(r); ok {
			named[l.text] = true
		}
	}
	b.fold = b.folds(nil)
	for _, r := range b.lexer.parserRules {
		for e := range r.Body.All() {
			for _, l := range literalsOf(e) {
				if !named[l.text] {
					named[l.text] = true
					b.defineLiteral(l)
				}
			}
		}
	}
}

func (b *builder) defineLiteral(l literal) {
	body := &Block{Pos: l.Pos, Alts: []*Alt{{Pos: l.Pos, Elements: b.literal(l)}}}
	n := len(b.LexerRules)
	b.Modes[0].Rules = append(b.Modes[0].Rules, n)
	b.LexerRules = append(b.LexerRules, &Rule{Pos: l.Pos, Name: fmt.Sprintf("T__%d", n), Type: b.implicit(l), Body: body,
		Commands: make([][]Command, 1)})
}

// literalsOf does not look into blocks and repetitions.
func literalsOf(e Element) (found []literal) {
	switch e := e.(type) {
	case literal:
		return []literal{e}
	case not:
		if block, ok := e.of.(*Block); ok {
			for inner := range block.All() {
				found = append(found, literalsOf(inner)...)
			}
			return found
		}
		return literalsOf(e.of)
	}
	return nil
}

// folds reports whether a lexer rule ignores case, or the lexer if r is nil.
func (b *builder) folds(r *Rule) bool {
	value := b.lexer.option("caseInsensitive")
	if r != nil {
		if own := findOption(r.options, "caseInsensitive"); own != nil {
			value = own
		}
	}
	return value != nil && value.text == "true"
}

func (b *builder) buildLexer() {
	if b.lexer == nil {
		return
	}
	for _, r := range b.lexer.lexerRules() {
		b.fold = b.folds(r)
		b.resolve(r.Body, func(e Element) []Element { return b.lexerElement(r, e) })
		for _, a := range r.Body.Alts {
			r.Commands = append(r.Commands, b.commands(r, a))
		}
		b.forbidCommands(r)
	}
}

func (b *builder) lexerElement(r *Rule, e Element) []Element {
	set := &Set{}
	switch e := e.(type) {
	case ref:
		return b.lexerReference(r, e)
	case literal:
		return b.literal(e)
	case not:
		set.Pos, set.Not, set.Ranges = e.Pos, true, b.lexerSet(e.of)
	case charSet:
		set.Pos, set.Ranges = e.Pos, b.lexerSet(e)
	case span:
		set.Pos, set.Ranges = e.from.Pos, b.lexerSet(e)
	}
	if set.Ranges == nil {
		return nil
	}
	return []Element{set}
}

func (b *builder) lexerReference(r *Rule, e ref) []Element {
	if e.text == "EOF" {
		return []Element{&TokenRef{Pos: e.Pos, Type: EOF}}
	}
	i, ok := b.lexerRules[e.text]
	switch {
	case !isTokenName(e.text):
		b.problems.add(e.Pos, "lexer rule %s refers to parser rule %s", r.Name, e.text)
	case !ok:
		b.problems.add(e.Pos, "lexer rule %s is not defined", e.text)
	default:
		return []Element{&RuleRef{Pos: e.Pos, Rule: i}}
	}
	return nil
}

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

// lexerSet returns the characters of a one-character element, or nil after a problem.
func (b *builder) lexerSet(e Element) (members []Range) {
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
		b.problems.add(e.Pos, "a set cannot contain %s, only characters", e.text)
	case *Block:
		for _, a := range e.Alts {
			members = append(members, b.lexerSet(a.Elements[0])...)
		}
	}
	return tidy(members)
}

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
	"skip": Skip, "more": More, "type": Type, "channel": Channel, "mode": SetMode,
	"pushMode": PushMode, "popMode": PopMode,
}

func (b *builder) commands(r *Rule, a *Alt) (commands []Command) {
	for _, c := range a.commands {
		kind, ok := commandKinds[c.name.text]
		takesArg := kind == Type || kind == Channel || kind == SetMode || kind == PushMode
		switch {
		case !ok:
			b.problems.add(c.name.Pos, "unknown lexer command %s", c.name.text)
			continue
		case takesArg && c.arg == nil:
			b.problems.add(c.name.Pos, "lexer command %s needs an argument", c.name.text)
			continue
		case !takesArg && c.arg != nil:
			b.problems.add(c.name.Pos, "lexer command %s takes no argument", c.name.text)
			continue
		}
		resolved := Command{Kind: kind}
		if takesArg {
			resolved.Arg = b.argument(kind, *c.arg)
		}
		commands = append(commands, resolved)
	}
	if r.fragment { // ANTLR ignores them too
		return nil
	}
	return commands
}

func (b *builder) argument(kind CommandKind, arg ident) int {
	names, limit, noun := b.modes, len(b.Modes)-1, "mode"
	switch kind {
	case Type:
		names, limit, noun = b.names, len(b.tokens), "token"
	case Channel:
		names, limit, noun = b.channels, maxType, "channel"
	}
	if n, ok := names[arg.text]; ok {
		return n
	}
	n, err := strconv.Atoi(arg.text)
	switch {
	case arg.text[0] < '0' || arg.text[0] > '9':
		b.problems.add(arg.Pos, "%s %s is not defined", noun, arg.text)
	case err != nil || n > limit || kind == Type && n == 0:
		b.problems.add(arg.Pos, "there is no %s %s", noun, arg.text)
	}
	return n
}

// forbidCommands reports commands inside of brackets.
func (b *builder) forbidCommands(r *Rule) {
	for e := range r.Body.All() {
		inner := blockOf(e)
		if inner == nil {
			continue
		}
		for _, a := range inner.Alts {
			if len(a.commands) > 0 {
				name := a.commands[0].name
				b.problems.add(name.Pos, "lexer command %s must follow all alternatives of rule %s, outside of brackets",
					name.text, r.Name)
			}
		}
	}
}
