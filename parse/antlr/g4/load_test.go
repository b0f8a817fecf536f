package g4

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	const lexer = "lexer grammar L; A : 'a' ; B : 'b' ;"
	for _, test := range []struct {
		name  string
		files map[string]string
		paths string
		want  string
	}{
		{"lexer and parser", map[string]string{"L.g4": lexer, "P.g4": "parser grammar P; options { tokenVocab = L; } s : A 'b' ;"}, "L.g4 P.g4", `
tokens A"a" B"b"
s: A"a" B"b"
A=1: [a]
B=2: [b]
`},
		{"parser and lexer without tokenVocab", map[string]string{"L.g4": lexer, "P.g4": "parser grammar P; s : A 'b' ;"}, "P.g4 L.g4", `
tokens A"a" B"b"
s: A"a" B"b"
A=1: [a]
B=2: [b]
`},
		{"lexer in the directory of the parser", map[string]string{"d/L.g4": lexer, "d/P.g4": "parser grammar P; options { tokenVocab = L; } tokens { C } s : 'a' C ;"}, "d/P.g4", `
tokens A"a" B"b" C
s: A"a" C
A=1: [a]
B=2: [b]
`},
		{"lexer by the name of its file", map[string]string{"L2.g4": lexer, "P.g4": "parser grammar P; options { tokenVocab = L2; } s : A ;"}, "P.g4 L2.g4", `
tokens A"a" B"b"
s: A"a"
A=1: [a]
B=2: [b]
`},
		{"tokens file", map[string]string{"P.g4": "parser grammar P; options { tokenVocab = L; } s : A '=' C ;", "L.tokens": "A=3\nB=1\n'='=1\n'a=b'=3\r\n\nC=4\nEOF=-1\n"}, "P.g4", `
tokens B"="  A"a=b" C
s: A"a=b" B"=" C
`},
		{"parser alone", map[string]string{"P.g4": "parser grammar P; s : A t ; t : B ;"}, "P.g4", `
tokens A B
s: A t
t: B
`},
		{"lexer alone, with a vocabulary", map[string]string{"M.g4": "lexer grammar M; options { tokenVocab = L; } C : 'c' ; B : 'bb' ;", "L.g4": lexer}, "M.g4", `
tokens A"a" B"b" C"c"
C=3: [c]
B=2: [b] [b]
`},
		{"imports", map[string]string{
			"x.g4": "grammar x; import P, y = L; tokens { T1 } s : a 'x' b ; b : B ; B : 'b' ;",
			"P.g4": "parser grammar P; import Q; tokens { T2 } a : A c 'y' ; b : NOPE ;",
			"Q.g4": "parser grammar Q; c : C ; a : 'never' ;",
			"L.g4": "lexer grammar L; A : 'a' ; B : 'never' ; C : 'c' -> channel(HIDDEN) ; fragment F : 'f' ;",
		}, "x.g4", `
tokens "x" "y" B"b" A"a" C"c" T1 T2
s: a "x" b
b: B"b"
a: A"a" c "y"
c: C"c"
T__0=1: [x]
T__1=2: [y]
B=3: [b]
A=4: [a]
C=5: [c] -> 0:channel 1
fragment F=0: [f]
`},
		{"imported modes and channels", map[string]string{
			"x.g4": "lexer grammar x; import L; channels { C } A : 'a' -> pushMode(M) ; mode M; B : 'b' -> channel(D) ;",
			"L.g4": "lexer grammar L; channels { D } A : 'never' ; E : 'e' -> mode(N) ; mode M; F : 'f' ; B : 'never' ; mode N; G : 'g' ;",
		}, "x.g4", `
tokens A"a" E"e" B"b" F"f" G"g"
A=1: [a] -> 0:push M
E=2: [e] -> 0:mode N
M B=3: [b] -> 0:channel 3
M F=4: [f]
N G=5: [g]
`},
		{"given imports", map[string]string{"a/x.g4": "grammar x; import Q; s : q ;",
			"b/P.g4": "grammar Q; import R; q : r ; A : 'a' ;", "b/R.g4": "parser grammar R; r : A ;"},
			"b/R.g4 b/P.g4 a/x.g4", `
tokens A"a"
s: q
q: r
r: A"a"
A=1: [a]
`},
		{"circular imports", map[string]string{"x.g4": "grammar x; import y; s : t ;", "y.g4": "grammar y; import x, y; t : 'a' ;"}, "x.g4", `
tokens "a"
s: t
t: "a"
T__0=1: [a]
`},
		{"a file twice", map[string]string{"x.g4": "grammar x; s : 'a' ;"}, "x.g4 x.g4", `
tokens "a"
s: "a"
T__0=1: [a]
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := load(test.files, strings.Fields(test.paths)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(g); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, test.want)
			}
		})
	}
}

func TestLoadProblems(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		paths string
		want  string
	}{
		{"missing imports", map[string]string{"a/x.g4": "grammar x; import y,\nz; s : A ;",
			"b/w.g4": "grammar w; s : A ;"}, "a/x.g4 b/w.g4",
			"a/x.g4:1:19: imported grammar y does not exist, looked for a/y.g4, b/y.g4\na/x.g4:2:1: imported grammar z does not exist, looked for a/z.g4, b/z.g4"},
		{"missing tokenVocab",
			map[string]string{"a/x.g4": "parser grammar x; options { tokenVocab = '../y'; } s : A ;"}, "a/x.g4",
			"a/x.g4:1:42: tokenVocab ../y does not exist, looked for a/y.g4, a/y.tokens"},
		{"imports of the wrong kind", map[string]string{"p.g4": "parser grammar p; import l, c; s : A ;",
			"l.g4": "lexer grammar l; A : 'a' ;", "c.g4": "grammar c; t : A ;"}, "p.g4",
			"p.g4:1:26: parser grammar cannot import lexer grammar l\np.g4:1:29: parser grammar cannot import combined grammar c"},
		{"problems of all files", map[string]string{"x.g4": "grammar x; import y; s : ;;",
			"y.g4": "grammar y; import z; t : ) ;", "z.g4": "grammar z; u : "}, "x.g4",
			"x.g4:1:27: unexpected \";\", expected the name of a rule\ny.g4:1:26: unexpected \")\", expected \";\"\nz.g4:1:16: unexpected the end of the file, expected \";\""},
		{"two grammars", map[string]string{"x.g4": "grammar x; s : 'a' ;", "y.g4": "grammar y; s : 'a' ;",
			"z.g4": "lexer grammar z; A : 'a' ;"}, "x.g4 y.g4 z.g4",
			"y.g4:1:9: combined grammar y is unrelated to combined grammar x\nz.g4:1:15: lexer grammar z is unrelated to combined grammar x"},
		{"circular use", map[string]string{"x.g4": "grammar x; import y; s : 'a' ;", "y.g4": "grammar y; import x;"}, "x.g4 y.g4",
			"x.g4:1:9: the given grammars all use one another, so none is the main one"},
		{"parser grammar as vocabulary", map[string]string{"x.g4": "parser grammar x; options { tokenVocab = y; } s : A ;",
			"y.g4": "parser grammar y; s : A ;"}, "x.g4",
			"x.g4:1:42: tokenVocab y is a parser grammar: it defines no tokens"},
		{"tokens file", map[string]string{"x.g4": "parser grammar x; options { tokenVocab = y; } s : A ;",
			"y.tokens": "A=1\nB\n=3\nC=x\nD=99999999\nE=-5\n"}, "x.g4",
			`y.tokens:2:1: unexpected "B", expected a name or literal, = and a token type
y.tokens:3:1: unexpected "=3", expected a name or literal, = and a token type
y.tokens:4:1: unexpected "C=x", expected a name or literal, = and a token type
y.tokens:5:1: unexpected "D=99999999", expected a name or literal, = and a token type
y.tokens:6:1: unexpected "E=-5", expected a name or literal, = and a token type`},
		{"literals without a lexer rule",
			map[string]string{"p.g4": "parser grammar p; options { tokenVocab = l; } s : 'a' 'b' ~'c' ;",
				"l.g4": "lexer grammar l; A : 'a' ;"}, "p.g4",
			"p.g4:1:55: literal 'b' is not a token: no lexer rule consists of it\np.g4:1:60: literal 'c' is not a token: no lexer rule consists of it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(test.files, strings.Fields(test.paths)...)
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("got %v, want problems", err)
			}
			if err.Error() != test.want {
				t.Errorf("got\n%s\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestLargeGrammars(t *testing.T) {
	const n = 20_000
	chain := func(body, last string) string {
		var b strings.Builder
		b.WriteString("grammar x; ")
		for i := range n {
			fmt.Fprintf(&b, body, i, i+1)
		}
		fmt.Fprintf(&b, last, n)
		return b.String()
	}
	if _, err := loadText(chain("r%d : r%[2]d r%[2]d? 'a'? ;", "r%d : ;")); err != nil {
		t.Error(err)
	}
	_, err := loadText(chain("r%d : r%d? 'a' | 'b' ;", "r%d : r0 ;"))
	want := "x.g4:1:12: rules r0, r1, r2, r3, r4, r5, r6, r7 and 19993 more are mutually left-recursive"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestUnreadable expects ordinary errors, not Problems.
func TestUnreadable(t *testing.T) {
	if _, err := Load(os.ReadFile); err == nil {
		t.Error("no files: no error")
	}
	_, err := load(nil, "x.g4")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "x.g4") {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{"grammar x; import y; s : 'a' ;",
		"parser grammar x; options { tokenVocab = y; } s : A ;"} {
		_, err := Load(func(path string) ([]byte, error) {
			if path == "x.g4" {
				return []byte(text), nil
			}
			return nil, fs.ErrPermission
		}, "x.g4")
		if !errors.Is(err, fs.ErrPermission) || err.Error() != "y.g4: permission denied" {
			t.Errorf("got %v", err)
		}
	}
}
