package g4

import "strings"

// warn says what the grammar asks for that cannot be done.
func (b *builder) warn() {
	lexerCode := b.warnOfCode(b.LexerRules, true)
	parserCode := b.warnOfCode(b.Rules, false)
	missing := b.missingTokens()
	if b.parser != nil && b.lexer == nil {
		b.warning(b.parser.name.Pos, "parser grammar %s comes without its lexer grammar: nothing makes its tokens", b.parser.name.text)
	}
	if len(missing) > 0 {
		names := make([]string, len(missing))
		for i, m := range missing {
			names[i] = b.Tokens[m.Type-1].Name
		}
		b.warning(missing[0].Pos, "no lexer rule makes %s: what needs such a token cannot match", strings.Join(names, ", "))
	}
	b.warnOfSuperClass(b.lexer, lexerCode || len(missing) > 0)
	if b.parser != b.lexer {
		b.warnOfSuperClass(b.parser, parserCode)
	} else {
		b.warnOfSuperClass(b.parser, lexerCode || parserCode)
	}
}

// warnOfCode warns of predicates, and of actions if they matter, and gives
// whether there are any.
func (b *builder) warnOfCode(rules []*Rule, actions bool) (any bool) {
	for _, r := range rules {
		eachCode(r.Body, func(c *Code) {
			switch {
			case c.Predicate:
				b.warning(c.Pos, "predicate in rule %s cannot be run and is taken for true: the grammar may accept more, or choose another way",
					r.Name)
			case actions && c.Text != "":
				b.warning(c.Pos, "action in lexer rule %s cannot be run: what it does to tokens is not done", r.Name)
			default:
				return
			}
			any = true
		})
	}
	return any
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
	if class := u.option("superClass"); class != nil {
		b.warning(class.Pos, "superClass %s cannot be run: what it adds to grammar %s is missing", class.text, u.name.text)
	}
}

// missingTokens gives the first use of each token that parser rules want and no
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
