package g4

// unit combines a grammar and its imports.
type unit struct {
	*file
	imported         []*file
	tokens, channels []ident
	parserRules      []*Rule
	lexer            []*section // 0 is the default mode; a mode may have several sections

	problems *Problems
	named    map[string]*Rule
	sections map[string]*section // the last one of a mode
	merged   map[*file]bool
}

// merge adds imports depth first. A grammar's rules override imported ones of the same name.
func merge(main *file, problems *Problems) *unit {
	first := &section{name: ident{Pos: main.name.Pos, text: "DEFAULT_MODE"}}
	u := &unit{file: main, lexer: []*section{first}, problems: problems, named: map[string]*Rule{},
		sections: map[string]*section{"DEFAULT_MODE": first}, merged: map[*file]bool{}}
	u.add(main)
	return u
}

func (u *unit) add(src *file) {
	if u.merged[src] {
		return
	}
	u.merged[src] = true
	if src != u.file {
		u.imported = append(u.imported, src)
	}
	u.tokens = append(u.tokens, src.tokens...)
	u.channels = append(u.channels, src.channels...)
	for _, r := range src.rules {
		switch isToken := isTokenName(r.Name); {
		case isToken && src.kind == parserOnly:
			u.problems.add(r.Pos, "lexer rule %s in a parser grammar", r.Name)
		case !isToken && src.kind == lexerOnly:
			u.problems.add(r.Pos, "parser rule %s in a lexer grammar", r.Name)
		case isToken:
			u.rule(r, &u.lexer[0].rules)
		default:
			u.rule(r, &u.parserRules)
		}
	}
	for _, md := range src.modes {
		u.mode(md, src)
	}
	for _, imported := range src.imports {
		u.add(imported)
	}
}

func (u *unit) mode(md *section, src *file) {
	name := md.name.text
	if src.kind != lexerOnly {
		u.problems.add(md.name.Pos, "mode %s: only lexer grammars can have modes", name)
	}
	if u.sections[name] == nil || src == u.file {
		u.sections[name] = &section{name: md.name}
		u.lexer = append(u.lexer, u.sections[name])
	}
	tokens := false
	for _, r := range md.rules {
		if !isTokenName(r.Name) {
			u.problems.add(r.Pos, "parser rule %s in mode %s", r.Name, name)
			continue
		}
		u.rule(r, &u.sections[name].rules)
		tokens = tokens || !r.fragment
	}
	if !tokens {
		u.problems.add(md.name.Pos, "mode %s has no rule that makes a token", name)
	}
}

func (u *unit) rule(r *Rule, into *[]*Rule) {
	switch first := u.named[r.Name]; {
	case reservedNames[r.Name]:
		u.problems.add(r.Pos, "%s is reserved and cannot be the name of a rule", r.Name)
	case first == nil:
		u.named[r.Name] = r
		*into = append(*into, r)
	case first.File == r.File:
		u.problems.add(r.Pos, "rule %s is defined again, first at line %d", r.Name, first.Line)
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
