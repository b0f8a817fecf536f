package g4

import (
	"fmt"
	"strings"
)

// warn says what the grammar asks for that cannot be done, in few words.
func (b *builder) warn() {
	b.warnOfEmptyTokens()
	lexerCode := b.warnOfPredicates(b.LexerRules)
	lexerCode = b.warnOfActions() || lexerCode
	parserCode := b.warnOfPredicates(b.Rules)
	missing := b.missingTokens()
	if b.parser != nil && b.lexer == nil {
		b.warning(b.parser.Name.Pos, "parser grammar %s comes without its lexer grammar: nothing makes its tokens",
			b.parser.Name.Text)
	}
	if len(missing) > 0 {
		names := make([]string, len(missing))
		for i, m := range missing {
			names[i] = b.Tokens[m.Type-1].Name
		}
		b.warning(missing[0].Pos, "no lexer rule makes %s: what needs such a token cannot match", someOf(names))
	}
	if b.lexer != nil {
		for _, src := range b.lexer.imported {
			if fold := src.Option("caseInsensitive"); fold != nil {
				b.warning(fold.Pos, "caseInsensitive is ignored in an imported grammar: it is for grammar %s to say",
					b.lexer.Name.Text)
			}
		}
	}
	if b.parser == b.lexer {
		b.warnOfSuperClass(b.parser, lexerCode || parserCode || len(missing) > 0)
	} else {
		b.warnOfSuperClass(b.parser, parserCode)
		b.warnOfSuperClass(b.lexer, lexerCode || len(missing) > 0)
	}
}

// warnOfPredicates reports whether there are predicates in rules.
func (b *builder) warnOfPredicates(rules []*Rule) bool {
	var found codeOfRules
	for _, r := range rules {
		eachCode(r.Body, func(c *Code) {
			if c.Predicate {
				found.add(r, c)
			}
		})
	}
	if found.rules == nil {
		return false
	}
	b.warning(found.first, "predicates cannot be run and are taken for true, "+
		"so the grammar may accept more, or choose another way: rules %s", found)
	return true
}

// warnOfActions reports whether there are actions in lexer rules. Those of
// parser rules decide nothing.
func (b *builder) warnOfActions() bool {
	var found codeOfRules
	for _, m := range b.Modes {
		for _, i := range m.Rules {
			eachCode(b.LexerRules[i].Body, func(c *Code) {
				if !c.Predicate && c.Text != "" {
					found.add(b.LexerRules[i], c)
				}
			})
		}
	}
	if found.rules == nil {
		return false
	}
	b.warning(found.first, "actions of the lexer cannot be run, so tokens may come out otherwise: rules %s", found)
	return true
}

// codeOfRules says where there is code.
type codeOfRules struct {
	first Pos
	last  *Rule
	rules []string
}

func (c *codeOfRules) add(r *Rule, code *Code) {
	if c.rules == nil {
		c.first = code.Pos
	}
	if c.last != r {
		c.last = r
		c.rules = append(c.rules, fmt.Sprintf("%s (line %d)", r.Name, code.Line))
	}
}

func (c codeOfRules) String() string { return someOf(c.rules) }

// someOf returns names with commas between them, but not very many.
func someOf(names []string) string {
	const most = 8
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func eachCode(b *Block, visit func(*Code)) {
	for _, a := range b.Alts {
		for _, e := range a.Elements {
			switch e := e.(type) {
			case *Code:
				visit(e)
			case *Block:
				eachCode(e, visit)
			case *Repeat:
				eachCode(e.Body, visit)
			}
		}
	}
}

func (b *builder) warnOfSuperClass(u *unit, needed bool) {
	if u == nil || !needed {
		return
	}
	if class := u.Option("superClass"); class != nil {
		b.warning(class.Pos, "superClass %s cannot be run: what it adds to grammar %s is missing", class.Text, u.Name.Text)
	}
}

// missingTokens returns the first use of each token that parser rules want and no
// lexer rule makes.
func (b *builder) missingTokens() (missing []*TokenRef) {
	if b.lexer == nil {
		return nil
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
	for _, r := range b.Rules {
		eachToken(r.Body, func(t *TokenRef) {
			if !made[t.Type] {
				made[t.Type] = true
				missing = append(missing, t)
			}
		})
	}
	return missing
}

func eachToken(b *Block, visit func(*TokenRef)) {
	for _, a := range b.Alts {
		for _, e := range a.Elements {
			switch e := e.(type) {
			case *TokenRef:
				visit(e)
			case *Block:
				eachToken(e, visit)
			case *Repeat:
				eachToken(e.Body, visit)
			}
		}
	}
}

// warnOfEmptyTokens warns of tokens that can be empty.
func (b *builder) warnOfEmptyTokens() {
	empty := emptyBlocks(b.LexerRules)
	for _, m := range b.Modes {
		for _, i := range m.Rules {
			if r := b.LexerRules[i]; empty[r.Body] {
				b.warning(r.Pos, "lexer rule %s can match nothing at all: where it does, the lexer cannot go on", r.Name)
			}
		}
	}
}

func (b *builder) warning(at Pos, format string, args ...any) {
	b.Warnings.Add(at, format, args...)
}
