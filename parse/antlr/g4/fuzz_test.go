package g4

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// FuzzLoad checks that loading ends and that all indexes are valid.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"grammar x; import y; options { caseInsensitive = true; } s : A 'b' t* EOF ; t : t '+' t | <assoc=right> t '^' t | 'c' ;",
		"lexer grammar x; channels { C } tokens { T } A : [a-z\\p{L}] ~'b' -> type(T), channel(C), mode(M) ; mode M; B : . -> popMode ;",
		"parser grammar x; options { tokenVocab = y; } s[int i] returns [int j] @init { } : ~(A | B) {p}? {a} # l ; catch [E] { }",
		"grammar x; s : (a | (b)+?)?? ; a : ; b : 'b' // c\n ; /* d */ A : 'x'..'z' ; fragment",
		"A=1\n'b'=2\n",
	} {
		f.Add(seed, "grammar y; t : B ; B : 'b' ; A : B+ ;")
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		read := func(path string) ([]byte, error) {
			switch path {
			case "x.g4":
				return []byte(x), nil
			case "y.g4", "y.tokens":
				if path == "y.tokens" == strings.Contains(y, "=1") {
					return []byte(y), nil
				}
			}
			return nil, fs.ErrNotExist
		}
		for _, paths := range [][]string{{"x.g4"}, {"x.g4", "y.g4"}} {
			if g, err := Load(read, paths...); err == nil {
				checkIndexes(t, g)
			} else if err.Error() == "" {
				t.Error("an error without text")
			}
		}
	})
}

func checkIndexes(t *testing.T, g *Grammar) {
	for _, rules := range [][]*Rule{g.Rules, g.LexerRules} {
		for _, r := range rules {
			checkBlock(t, g, len(rules), r.Body)
		}
	}
	inMode := map[int]bool{}
	for _, m := range g.Modes {
		for _, i := range m.Rules {
			if inMode[i] || i >= len(g.LexerRules) {
				t.Fatalf("mode %s has rule %d", m.Name, i)
			}
			inMode[i] = true
		}
	}
	for i, r := range g.LexerRules {
		if len(r.Commands) != len(r.Body.Alts) || r.Type < 0 || r.Type > len(g.Tokens) || !inMode[i] && r.Type != 0 {
			t.Fatalf("lexer rule %s has %d commands for %d alternatives, and type %d", r.Name, len(r.Commands), len(r.Body.Alts),
				r.Type)
		}
		for _, c := range slices.Concat(r.Commands...) {
			limit := map[CommandKind]int{SetMode: len(g.Modes) - 1, PushMode: len(g.Modes) - 1, Type: len(g.Tokens),
				Channel: maxType}[c.Kind]
			if c.Arg > limit || c.Arg < 0 && (c.Arg != EOF || c.Kind != Type) {
				t.Fatalf("lexer rule %s has a command %v", r.Name, c)
			}
		}
	}
}

func checkBlock(t *testing.T, g *Grammar, rules int, b *Block) {
	if len(b.Alts) == 0 {
		t.Fatal("a block without alternatives")
	}
	for _, a := range b.Alts {
		for _, e := range a.Elements {
			switch e := e.(type) {
			case *RuleRef:
				if e.Rule < 0 || e.Rule >= rules {
					t.Fatalf("%v: rule %d", e.Pos, e.Rule)
				}
			case *TokenRef:
				if e.Type != EOF && (e.Type < 1 || e.Type > len(g.Tokens)) {
					t.Fatalf("%v: token %d", e.Pos, e.Type)
				}
			case *Set:
				if len(e.Ranges) == 0 && !e.Not {
					t.Fatalf("%v: an empty set", e.Pos)
				}
				for i, r := range e.Ranges {
					if r.From > r.To || i > 0 && r.From <= e.Ranges[i-1].To {
						t.Fatalf("%v: ranges %v", e.Pos, e.Ranges)
					}
				}
			case *Block:
				checkBlock(t, g, rules, e)
			case *Repeat:
				checkBlock(t, g, rules, e.Body)
			}
		}
	}
}
