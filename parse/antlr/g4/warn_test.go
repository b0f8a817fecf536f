package g4

import (
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	const pythonLexer = "lexer grammar L; options { superClass = Base; } tokens { IN, OUT } A : 'a' ; N : 'n' { act(); } ;"
	for _, test := range []struct {
		name  string
		files map[string]string
		paths string
		want  string
	}{
		{"no warnings",
			map[string]string{"x.g4": "grammar x; options { superClass = Base; } @members { } s @init { } : { act(); } A a=B ; A : 'a' ; B : 'b' ;"}, "", ""},
		{"parser actions",
			map[string]string{"x.g4": "grammar x; options { superClass = Base; } tokens { T } s @init { } : { act(); } A ; A : 'a' {} ; fragment F : 'f' { f(); } ;"}, "", ""},
		{"predicates",
			map[string]string{"x.g4": "grammar x; s : A {p()}? {q()}? | t ;\nt : ({r()}? A)* ; A : {u()}? 'a' ; fragment F : 'f' {v()}? ;"}, "",
			`x.g4:1:18: predicates are not run but taken as true, so the grammar may accept more input or choose other alternatives: rules s (line 1), t (line 2)
x.g4:2:23: predicates are not run but taken as true, so the grammar may accept more input or choose other alternatives: rules A (line 2), F (line 2)`},
		{"lexer actions", map[string]string{"x.g4": "lexer grammar x; A : 'a' {act();} ; B : ('b' {act();})+ ;"}, "",
			"x.g4:1:26: lexer actions are not run, so tokens may differ: rules A (line 1), B (line 1)"},
		{"superclass of predicates",
			map[string]string{"x.g4": "grammar x; options { superClass = a.Base; } s : {p()}? 'a' ;"}, "",
			`x.g4:1:35: superClass a.Base is not run: grammar x lacks its code
x.g4:1:49: predicates are not run but taken as true, so the grammar may accept more input or choose other alternatives: rules s (line 1)`},
		{"superclass of a lexer", map[string]string{"L.g4": pythonLexer,
			"P.g4": "parser grammar P; options { tokenVocab = L; superClass = Base; } s : (IN A OUT | N)* NOPE IN ;"},
			"P.g4 L.g4",
			`L.g4:1:41: superClass Base is not run: grammar L lacks its code
L.g4:1:86: lexer actions are not run, so tokens may differ: rules N (line 1)
P.g4:1:71: no lexer rule makes IN, OUT, NOPE, so rules that need such a token cannot match`},
		{"superclass of both", map[string]string{"L.g4": "lexer grammar L; options { superClass = B; } A : 'a' {p()}? ;",
			"P.g4": "parser grammar P; options { tokenVocab = L; superClass = C; } s : {p()}? A ;"}, "P.g4 L.g4",
			`L.g4:1:41: superClass B is not run: grammar L lacks its code
L.g4:1:54: predicates are not run but taken as true, so the grammar may accept more input or choose other alternatives: rules A (line 1)
P.g4:1:58: superClass C is not run: grammar P lacks its code
P.g4:1:67: predicates are not run but taken as true, so the grammar may accept more input or choose other alternatives: rules s (line 1)`},
		{"missing tokens",
			map[string]string{"x.g4": "grammar x; tokens { T, B } s : A B T C D ;\nA : 'a' -> type(B) ; C : 'c' -> type(A) ; fragment D : 'd' ;"}, "",
			"x.g4:1:36: no lexer rule makes T, C, D, so rules that need such a token cannot match"},
		{"no lexer", map[string]string{"x.g4": "parser grammar x; s : A ;"}, "",
			"x.g4:1:16: parser grammar x has no lexer grammar, so it gets no tokens"},
		{"empty tokens",
			map[string]string{"x.g4": "lexer grammar x; A : 'a'* ; B : A A ; C : A 'c' ; fragment D : ; mode M; E : D 'e'?? ;"},
			"",
			`x.g4:1:18: lexer rule A can match the empty string, and then the lexer cannot continue
x.g4:1:29: lexer rule B can match the empty string, and then the lexer cannot continue
x.g4:1:74: lexer rule E can match the empty string, and then the lexer cannot continue`},
		{"caseInsensitive in an import", map[string]string{"x.g4": "grammar x; import y; s : A ;",
			"y.g4": "lexer grammar y; options { caseInsensitive = true; } A : 'a' ;"}, "",
			"y.g4:1:46: caseInsensitive has no effect in an imported grammar; set it in grammar x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			paths := strings.Fields(test.paths)
			if len(paths) == 0 {
				paths = []string{"x.g4"}
			}
			g, err := load(test.files, paths...)
			if err != nil {
				t.Fatal(err)
			}
			if got := g.Warnings.Error(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
