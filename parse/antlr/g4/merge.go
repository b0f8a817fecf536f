package g4

// unit is a grammar with all that it imports.
type unit struct {
	*source
	imported         []*source
	tokens, channels []ident
	parserRules      []*rule
	lexer            []*mode // 0 is the default mode; a mode may come in several parts
}

// merge puts together a grammar and its imports, depth first. Of rules with
// one name the first file's wins; in one file it is a problem.
func merge(main *source, problems *Problems) *unit {
	u := &unit{source: main, lexer: []*mode{{name: ident{main.name.Pos, "DEFAULT_MODE"}}}}
	m := merger{u, problems, map[string]*rule{}, map[string]*mode{"DEFAULT_MODE": u.lexer[0]}, map[*source]bool{}}
	m.add(main)
	return u
}

type merger struct {
	*unit
	problems *Problems
	rules    map[string]*rule
	modes    map[string]*mode
	seen     map[*source]bool
}

func (m *merger) add(src *source) {
	if m.seen[src] {
		return
	}
	m.seen[src] = true
	if src != m.source {
		m.imported = append(m.imported, src)
	}
	m.tokens = append(m.tokens, src.tokens...)
	m.channels = append(m.channels, src.channels...)
	for _, r := range src.rules {
		switch isToken := isTokenName(r.name.text); {
		case isToken && src.kind == parserOnly:
			m.problems.add(r.name.Pos, "lexer rule %s in a parser grammar", r.name.text)
		case !isToken && src.kind == lexerOnly:
			m.problems.add(r.name.Pos, "parser rule %s in a lexer grammar", r.name.text)
		case isToken:
			m.rule(r, &m.lexer[0].rules)
		default:
			m.rule(r, &m.parserRules)
		}
	}
	for _, md := range src.modes {
		m.mode(md, src)
	}
	for _, imported := range src.imports {
		m.add(imported)
	}
}

func (m *merger) mode(md *mode, src *source) {
	name := md.name.text
	if src.kind != lexerOnly {
		m.problems.add(md.name.Pos, "mode %s: modes are for lexer grammars", name)
	}
	if m.modes[name] == nil || src == m.source {
		m.modes[name] = &mode{name: md.name}
		m.lexer = append(m.lexer, m.modes[name])
	}
	tokens := false
	for _, r := range md.rules {
		if !isTokenName(r.name.text) {
			m.problems.add(r.name.Pos, "parser rule %s in mode %s", r.name.text, name)
			continue
		}
		m.rule(r, &m.modes[name].rules)
		tokens = tokens || !r.fragment
	}
	if !tokens {
		m.problems.add(md.name.Pos, "mode %s has no rule that makes a token", name)
	}
}

func (m *merger) rule(r *rule, into *[]*rule) {
	name := r.name.text
	switch first := m.rules[name]; {
	case reservedNames[name]:
		m.problems.add(r.name.Pos, "%s is a reserved name, and no name for a rule", name)
	case first == nil:
		m.rules[name] = r
		*into = append(*into, r)
	case first.name.File == r.name.File:
		m.problems.add(r.name.Pos, "rule %s is defined again, first at line %d", name, first.name.Line)
	}
}

// reservedNames are the names that ANTLR's runtime gives a meaning.
var reservedNames = map[string]bool{
	"EOF": true, "HIDDEN": true, "DEFAULT_TOKEN_CHANNEL": true, "DEFAULT_MODE": true, "SKIP": true, "MORE": true,
	"MAX_CHAR_VALUE": true, "MIN_CHAR_VALUE": true,
}

// lexerRules gives the rules of all modes.
func (u *unit) lexerRules() (rules []*rule) {
	for _, m := range u.lexer {
		rules = append(rules, m.rules...)
	}
	return rules
}
