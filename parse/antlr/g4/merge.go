package g4

type unit struct {
	*file
	imported         []*file
	tokens, channels []ident
	parserRules      []*Rule
	lexer            []*section // 0 is the default mode; a mode may have several sections
}

// merge combines a grammar and its imports, depth first. Its rules override imported ones of the same name.
func merge(main *file, problems *Problems) *unit {
	u := &unit{file: main, lexer: []*section{{name: ident{Pos: main.name.Pos, text: "DEFAULT_MODE"}}}}
	modes := map[string]*section{"DEFAULT_MODE": u.lexer[0]}
	m := merger{u, problems, map[string]*Rule{}, modes, map[*file]bool{}}
	m.add(main)
	return u
}

type merger struct {
	*unit
	problems *Problems
	rules    map[string]*Rule
	modes    map[string]*section
	seen     map[*file]bool
}

func (m *merger) add(src *file) {
	if m.seen[src] {
		return
	}
	m.seen[src] = true
	if src != m.file {
		m.imported = append(m.imported, src)
	}
	m.tokens = append(m.tokens, src.tokens...)
	m.channels = append(m.channels, src.channels...)
	for _, r := range src.rules {
		switch isToken := isTokenName(r.Name); {
		case isToken && src.kind == parserOnly:
			m.problems.add(r.Pos, "lexer rule %s in a parser grammar", r.Name)
		case !isToken && src.kind == lexerOnly:
			m.problems.add(r.Pos, "parser rule %s in a lexer grammar", r.Name)
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

func (m *merger) mode(md *section, src *file) {
	name := md.name.text
	if src.kind != lexerOnly {
		m.problems.add(md.name.Pos, "mode %s: only lexer grammars can have modes", name)
	}
	if m.modes[name] == nil || src == m.file {
		m.modes[name] = &section{name: md.name}
		m.lexer = append(m.lexer, m.modes[name])
	}
	tokens := false
	for _, r := range md.rules {
		if !isTokenName(r.Name) {
			m.problems.add(r.Pos, "parser rule %s in mode %s", r.Name, name)
			continue
		}
		m.rule(r, &m.modes[name].rules)
		tokens = tokens || !r.fragment
	}
	if !tokens {
		m.problems.add(md.name.Pos, "mode %s has no rule that makes a token", name)
	}
}

func (m *merger) rule(r *Rule, into *[]*Rule) {
	switch first := m.rules[r.Name]; {
	case reservedNames[r.Name]:
		m.problems.add(r.Pos, "%s is reserved and cannot be the name of a rule", r.Name)
	case first == nil:
		m.rules[r.Name] = r
		*into = append(*into, r)
	case first.File == r.File:
		m.problems.add(r.Pos, "rule %s is defined again, first at line %d", r.Name, first.Line)
	}
}

// reservedNames have a meaning in ANTLR's runtime.
var reservedNames = map[string]bool{
	"EOF": true, "HIDDEN": true, "DEFAULT_TOKEN_CHANNEL": true, "DEFAULT_MODE": true, "SKIP": true, "MORE": true,
	"MAX_CHAR_VALUE": true, "MIN_CHAR_VALUE": true,
}

func (u *unit) lexerRules() (rules []*Rule) {
	for _, m := range u.lexer {
		rules = append(rules, m.rules...)
	}
	return rules
}

func (f *file) option(name string) *ident { return findOption(f.options, name) }
