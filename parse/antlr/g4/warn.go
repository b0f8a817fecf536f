package g4

import (
	"fmt"
	"strings"
)

func (b *builder) warn() {
	b.warnOfEmptyTokens()
	lexerCode := b.warnOfCode(b.LexerRules, true)
	lexerCode = b.warnOfCode(b.LexerRules, false) || lexerCode
	parserCode := b.warnOfCode(b.Rules, true)
	missing := b.warnOfMissingTokens()
	if b.lexer != nil {
		for _, src := range b.lexer.imported {
			if fold := src.option("caseInsensitive"); fold != nil {
				b.Warnings.add(fold.Pos, "caseInsensitive has no effect in an imported grammar; set it in grammar %s",
					b.lexer.name.text)
			}
		}
	}
	if b.parser == b.lexer {
		b.warnOfSuperClass(b.parser, lexerCode || parserCode || missing)
	} else {
		b.warnOfSuperClass(b.parser, parserCode)
		b.warnOfSuperClass(b.lexer, lexerCode || missing)
	}
}

// warnOf warns of names at the first of them. It reports whether there are any.
func (b *builder) warnOf(found []ident, format string) bool {
	if len(found) == 0 {
		return false
	}
	var names []string
	for _, name := range found {
		names = append(names, name.text)
	}
	b.Warnings.add(found[0].Pos, format, SomeOf(names, maxNames))
	return true
}

// warnOfCode warns of predicates, or of actions in lexer rules that are not fragments. Actions of parser rules do not
// affect the parse.
func (b *builder) warnOfCode(rules []*Rule, predicates bool) bool {
	var found []ident
	for _, r := range rules {
		if r.fragment && !predicates {
			continue
		}
		for e := range r.Body.All() {
			if c, ok := e.(*Code); ok && c.Predicate == predicates && (predicates || c.Text != "") {
				found = append(found, ident{c.Pos, fmt.Sprintf("%s (line %d)", r.Name, c.Line)})
				break
			}
		}
	}
	if predicates {
		return b.warnOf(found, "predicates are not run but taken as true, "+
			"so the grammar may accept more input or choose other alternatives: rules %s")
	}
	return b.warnOf(found, "lexer actions are not run, so tokens may differ: rules %s")
}

const maxNames = 8

// SomeOf lists at most so many names.
func SomeOf(names []string, limit int) string {
	text := strings.Join(names[:min(limit, len(names))], ", ")
	if more := len(names) - limit; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (b *builder) warnOfSuperClass(u *unit, needed bool) {
	if u == nil || !needed {
		return
	}
	if class := u.option("superClass"); class != nil {
		b.Warnings.add(class.Pos, "superClass %s is not run: grammar %s lacks its code", class.text, u.name.text)
	}
}

func (b *builder) warnOfMissingTokens() bool {
	if b.lexer == nil {
		b.Warnings.add(b.parser.name.Pos, "parser grammar %s has no lexer grammar, so it gets no tokens", b.parser.name.text)
		return false
	}
	made := map[int]bool{EOF: true}
	for _, r := range b.LexerRules {
		for _, commands := range r.Commands {
			t := r.Type
			for _, c := range commands {
				if c.Kind == Type {
					t = c.Arg
				}
			}
			made[t] = true
		}
	}
	var missing []ident
	for _, r := range b.Rules {
		for e := range r.Body.All() {
			if t, ok := e.(*TokenRef); ok && !made[t.Type] {
				made[t.Type] = true
				missing = append(missing, ident{t.Pos, b.Tokens[t.Type-1].Name})
			}
		}
	}
	return b.warnOf(missing, "no lexer rule makes %s, so rules that need such a token cannot match")
}

func (b *builder) warnOfEmptyTokens() {
	empty := emptyBlocks(b.LexerRules)
	for _, r := range b.LexerRules {
		if !r.fragment && empty[r.Body] {
			b.Warnings.add(r.Pos, "lexer rule %s can match the empty string, and then the lexer cannot continue", r.Name)
		}
	}
}
