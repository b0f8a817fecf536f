package g4

import "whittle/parse/antlr/g4/internal/syntax"

// unit is a grammar with all that it imports.
type unit struct {
	*syntax.File
	imported         []*syntax.File
	tokens, channels []syntax.Ident
	parserRules      []*syntax.Rule
	lexer            []*syntax.Mode // 0 is the default mode; a mode may come in several parts
}

// merge puts together a grammar and its imports, depth first. Of rules with
// one name the first file's wins; in one file it is a problem.
func merge(main *syntax.File, problems *Problems) *unit {
	u := &unit{File: main, lexer: []*syntax.Mode{{Name: syntax.Ident{Pos: main.Name.Pos, Text: "DEFAULT_MODE"}}}}
	modes := map[string]*syntax.Mode{"DEFAULT_MODE": u.lexer[0]}
	m := merger{u, problems, map[string]*syntax.Rule{}, modes, map[*syntax.File]bool{}}
	m.add(main)
	return u
}

type merger struct {
	*unit
	problems *Problems
	rules    map[string]*syntax.Rule
	modes    map[string]*syntax.Mode
	seen     map[*syntax.File]bool
}

func (m *merger) add(src *syntax.File) {
	if m.seen[src] {
		return
	}
	m.seen[src] = true
	if src != m.File {
		m.imported = append(m.imported, src)
	}
	m.tokens = append(m.tokens, src.Tokens...)
	m.channels = append(m.channels, src.Channels...)
	for _, r := range src.Rules {
		switch isToken := syntax.IsTokenName(r.Name.Text); {
		case isToken && src.Kind == syntax.ParserOnly:
			m.problems.Add(r.Name.Pos, "lexer rule %s in a parser grammar", r.Name.Text)
		case !isToken && src.Kind == syntax.LexerOnly:
			m.problems.Add(r.Name.Pos, "parser rule %s in a lexer grammar", r.Name.Text)
		case isToken:
			m.rule(r, &m.lexer[0].Rules)
		default:
			m.rule(r, &m.parserRules)
		}
	}
	for _, md := range src.Modes {
		m.mode(md, src)
	}
	for _, imported := range src.Imports {
		m.add(imported)
	}
}

func (m *merger) mode(md *syntax.Mode, src *syntax.File) {
	name := md.Name.Text
	if src.Kind != syntax.LexerOnly {
		m.problems.Add(md.Name.Pos, "mode %s: modes are for lexer grammars", name)
	}
	if m.modes[name] == nil || src == m.File {
		m.modes[name] = &syntax.Mode{Name: md.Name}
		m.lexer = append(m.lexer, m.modes[name])
	}
	tokens := false
	for _, r := range md.Rules {
		if !syntax.IsTokenName(r.Name.Text) {
			m.problems.Add(r.Name.Pos, "parser rule %s in mode %s", r.Name.Text, name)
			continue
		}
		m.rule(r, &m.modes[name].Rules)
		tokens = tokens || !r.Fragment
	}
	if !tokens {
		m.problems.Add(md.Name.Pos, "mode %s has no rule that makes a token", name)
	}
}

func (m *merger) rule(r *syntax.Rule, into *[]*syntax.Rule) {
	name := r.Name.Text
	switch first := m.rules[name]; {
	case reservedNames[name]:
		m.problems.Add(r.Name.Pos, "%s is a reserved name, and no name for a rule", name)
	case first == nil:
		m.rules[name] = r
		*into = append(*into, r)
	case first.Name.File == r.Name.File:
		m.problems.Add(r.Name.Pos, "rule %s is defined again, first at line %d", name, first.Name.Line)
	}
}

// reservedNames are the names that ANTLR's runtime gives a meaning.
var reservedNames = map[string]bool{
	"EOF": true, "HIDDEN": true, "DEFAULT_TOKEN_CHANNEL": true, "DEFAULT_MODE": true, "SKIP": true, "MORE": true,
	"MAX_CHAR_VALUE": true, "MIN_CHAR_VALUE": true,
}

// lexerRules returns the rules of all modes.
func (u *unit) lexerRules() (rules []*syntax.Rule) {
	for _, m := range u.lexer {
		rules = append(rules, m.Rules...)
	}
	return rules
}
