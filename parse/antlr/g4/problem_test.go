package g4

import (
	"errors"
	"strings"
	"testing"
)

func TestProblems(t *testing.T) {
	for _, test := range []struct{ name, grammar, want string }{
		{"empty file", "", `1:1: unexpected the end of the file, expected "grammar", "lexer grammar" or "parser grammar"`},
		{"no name", "grammar ;", `1:9: unexpected ";", expected a name`},
		{"tree grammar", "tree grammar x;", "1:1: tree grammars belong to ANTLR 3"},
		{"no rules", "grammar x;", "1:9: grammar x has no parser rules"},
		{"only lexer rules", "grammar x; A : 'a' ;", "1:9: grammar x has no parser rules"},
		{"no lexer rules", "lexer grammar x;", "1:15: lexer grammar x has no rules"},
		{"only options", "parser grammar x; options { k = 1; }", "1:16: grammar x has no parser rules"},

		{"no semicolon", "grammar x; a : A\nb : B ;\nc : (b)\nfragment C : 'c'\nD : 'd' ;", `2:1: rule a has no ";" before b
4:1: rule c has no ";" before "fragment"
5:1: rule C has no ";" before D`},
		{"no semicolon before a mode", "lexer grammar x; A : 'a'\nmode M; B : 'b' ;", `2:1: rule A has no ";" before "mode"`},
		{"several wrong rules",
			"grammar x; a : ( A ; b : A ) ; c : A** ; d : ~~A ; e : x= ; f : A -> skip ; G : 'g' -> ; h : <assoc> 'x' ! ; fragment i : ;",
			`1:20: unexpected ";", expected ")"
1:28: unexpected ")", expected ";"
1:38: unexpected "*", expected ";"
1:47: unexpected "~", expected a token, a literal or a set
1:59: unexpected ";", expected an element after the label
1:67: unexpected "->", expected ";"
1:88: unexpected ";", expected a name
1:106: unexpected "!", expected ";"
1:119: parser rule i cannot be a fragment`},
		{"negated sequences", "grammar x; s : ~(A B) ~(s) ~[a] ; t : ~s ; U : ~. ; V : ~a ; W : ~() ;", `1:20: unexpected "B", expected ")"
1:40: unexpected "s", expected a token, a literal or a set
1:49: unexpected ".", expected a token, a literal or a set
1:58: unexpected "a", expected a token, a literal or a set
1:68: unexpected ")", expected a token, a literal or a set`},
		{"suffix after an action", "grammar x; s : {a}* ; t : {p}? ? ;", `1:19: unexpected "*", expected ";"
1:32: unexpected "?", expected ";"`},
		{"reserved words", "grammar x; s : mode ; catch : A ; t : returns | A ; u : finally=A ;", `1:16: "mode" is a reserved word and cannot be a name
1:23: unexpected "catch", expected the name of a rule
1:39: "returns" is a reserved word and cannot be a name
1:57: "finally" is a reserved word and cannot be a name`},
		{"declarations after rules", "grammar x; s : A ; options { k = 1; } import y; @members { } tokens { A } t : B ;",
			`1:20: "options {" must come before the first rule
1:39: "import" must come before the first rule
1:49: "@" must come before the first rule`},
		{"lists", "grammar x; tokens { A; B } channels { C D } options { k } options { a = ; } s : 'a' ;", `1:22: unexpected ";", expected ","
1:41: unexpected "D", expected ","
1:57: unexpected "}", expected "="
1:73: unexpected ";", expected a name`},
		{"arguments", "grammar x; s[int : A ;", "1:13: unterminated [: its ] is missing"},
		{"set in a parser rule", "grammar x; s : [a-z] ;", `1:16: unexpected "[a-z]", expected ";"`},
		{"missing code", "grammar x; s returns : A ; t @init : A ; u : A ; catch [E] ; finally ;", `1:22: unexpected ":", expected declarations in brackets
1:36: unexpected ":", expected an action in braces
1:60: unexpected ";", expected an action in braces
1:62: unexpected "finally", expected the name of a rule`},
		{"unterminated literals", "grammar x; a : 'a ;\nb : 'b\\\n ; c : A ' ;\n d : 'd\\", `1:16: unterminated string literal
2:5: unterminated string literal
3:10: unterminated string literal
4:6: unterminated string literal`},
		{"unterminated set", "lexer grammar x; A : [a\n ; B : [b\\", `1:22: unterminated character set
2:8: unterminated character set`},
		{"unterminated action", "grammar x; s : { if (a) { '}' // }\n ;", "1:16: unterminated action: its } is missing"},
		{"string in an unterminated action", "grammar x; s : { don't } A ;", "1:16: unterminated action: its } is missing"},
		{"unterminated comment", "grammar x; s : A ; /* t : ;", "1:20: unterminated comment: its */ is missing"},
		{"comment in an unterminated action", "grammar x; s : { /* } ;",
			"1:16: unterminated action: its } is missing\n1:18: unterminated comment: its */ is missing"},
		{"unexpected characters", "grammar x; s : \"a\" ; t : \x00 ; u : \\a ;", `1:16: unexpected '"': literals are written in single quotes
1:18: unexpected '"': literals are written in single quotes
1:26: unexpected character '\x00'
1:34: unexpected character '\\'`},
		{"deep nesting", "grammar x; s : " + strings.Repeat("(", 100_000) + "; t : ) ;",
			"1:1016: brackets are nested more than 1000 deep\n1:100022: unexpected \")\", expected \";\""},

		{"undefined rules", "grammar x; s : t A u+ (A | v) ; A : B | a 'x' C? ; fragment B : D ;", `1:16: rule t is not defined
1:20: rule u is not defined
1:28: rule v is not defined
1:41: lexer rule A refers to parser rule a
1:47: lexer rule C is not defined
1:65: lexer rule D is not defined`},
		{"duplicate rules", "grammar x; s : A ; A : 'a' ;\ns : A ; A : 'b' ; fragment A : 'c' ;", `2:1: rule s is defined again, first at line 1
2:9: rule A is defined again, first at line 1
2:28: rule A is defined again, first at line 1`},
		{"duplicate rules in a mode", "lexer grammar x; A : 'a' ; mode M; A : 'a' ;",
			"1:36: rule A is defined again, first at line 1"},
		{"rules of the wrong kind", "lexer grammar x; a : 'a' ; A : 'a' ; mode M; b : 'b' ; B : 'b' ;",
			"1:18: parser rule a in a lexer grammar\n1:46: parser rule b in mode M"},
		{"lexer rules in a parser", "parser grammar x; s : A ; A : 'a' ;", "1:27: lexer rule A in a parser grammar"},
		{"reserved names",
			"lexer grammar x; tokens { SKIP, b } channels { HIDDEN } EOF : 'a' ; MORE : 'b' ; A : 'c' ; mode DEFAULT_TOKEN_CHANNEL; B : 'b' ;",
			`1:27: SKIP is reserved and cannot be the name of a token
1:33: token b: token names must begin with a capital letter
1:48: HIDDEN is reserved and cannot be the name of a channel
1:57: EOF is reserved and cannot be the name of a rule
1:69: MORE is reserved and cannot be the name of a rule
1:97: DEFAULT_TOKEN_CHANNEL is reserved and cannot be the name of a mode`},
		{"reserved names as tokens", "grammar x; s : EOF HIDDEN ;", "1:20: HIDDEN is reserved and cannot be the name of a token"},
		{"duplicate names", "lexer grammar x; tokens { T } channels { T, M, A } A : 'a' ; mode M; B : 'b' ; mode A; C : 'c' ;",
			`1:42: channel T has the name of a token
1:45: channel M has the name of a mode
1:48: channel A has the name of a token
1:85: mode A has the name of a token`},
		{"modes", "grammar x; s : 'a' ; mode M; A : 'b' ;", "1:27: mode M: only lexer grammars can have modes"},
		{"modes without tokens", "lexer grammar x; A : 'a' ; mode M; mode N; fragment B : 'b' ;",
			"1:33: mode M has no rule that makes a token\n1:41: mode N has no rule that makes a token"},

		{"commands",
			"lexer grammar x; A : 'a' -> foo, skip(A), type, mode(M), type(B), channel(C), Skip ; B2 : 'b' -> channel(65536), mode(1), type(0), pushMode(99999999999999999999) ;",
			`1:29: unknown lexer command foo
1:34: lexer command skip takes no argument
1:43: lexer command type needs an argument
1:54: mode M is not defined
1:63: token B is not defined
1:75: channel C is not defined
1:79: unknown lexer command Skip
1:106: there is no channel 65536
1:119: there is no mode 1
1:128: there is no token 0
1:141: there is no mode 99999999999999999999`},
		{"commands in brackets", "lexer grammar x; A : ('a' -> skip | ('b' -> more)+) ;", `1:30: lexer command skip must follow all alternatives of rule A, outside of brackets
1:45: lexer command more must follow all alternatives of rule A, outside of brackets`},

		{"literals", `grammar x; s : '' 'a' ; A : '' 'b' '\q' '\u12' '\u{110000}' '\u{}' '\u{1' '\]' ;`, `1:16: literal is empty
1:29: literal is empty
1:37: invalid escape sequence \q
1:42: invalid escape sequence \u12
1:49: invalid escape sequence \u{110000}
1:62: invalid escape sequence \u{}
1:69: invalid escape sequence \u
1:76: invalid escape sequence \]`},
		{"invalid UTF-8", "grammar x; s : '\xff' ;", "1:17: invalid UTF-8"},
		{"sets",
			`lexer grammar x; A : [] [b-a] [\q] [\'] [\p{Foo}] [\pL] [a-\p{L}] [\p{L}-a] [\p{Block=Thai}] [\p{InThai}] [\p{lb=AL}] ;`,
			`1:22: character set is empty
1:26: range b-a is reversed
1:32: invalid escape sequence \q
1:37: invalid escape sequence \'
1:42: unsupported Unicode property: Foo (only categories, scripts and binary properties are supported)
1:52: invalid escape sequence \p, expected a property name in braces after it
1:60: a property cannot end a range
1:73: a property cannot begin a range
1:78: unsupported Unicode property: Block=Thai (only categories, scripts and binary properties are supported)
1:95: unsupported Unicode property: InThai (only categories, scripts and binary properties are supported)
1:108: unsupported Unicode property: lb=AL (only categories, scripts and binary properties are supported)`},
		{"ranges", "lexer grammar x; A : 'b'..'a' 'ab'..'c' ~('x'..'yz') 'a'..'' ;", `1:22: range 'b'..'a' is reversed
1:31: 'ab' has more than one character
1:48: 'yz' has more than one character
1:59: literal is empty`},
		{"members of sets", "lexer grammar x; A : ~B ~'ab' ~('a' | B) ; fragment B : 'b' ;", `1:23: a set cannot contain B, only characters
1:26: 'ab' has more than one character
1:39: a set cannot contain B, only characters`},
		{"ranges in a parser", "grammar x; s : 'a'..'b' ~('a' | 'c'..'d') 'a' ;", `1:16: range 'a'..'b' in a parser rule: only lexer rules can have ranges
1:33: range 'c'..'d' in a parser rule: only lexer rules can have ranges`},
		{"literals without a lexer", "parser grammar x; s : 'a' ;",
			"1:23: literal 'a' is not a token: no lexer rule consists of it"},

		{"mutual left recursion",
			"grammar x; a : b 'x' | 'y' ; b : c ; c : 'z'? {act} (a 'q' | 'w') ; d : d2? 'x' d ; d2 : d ;",
			"1:12: rules a, b, c are mutually left-recursive\n1:69: rules d, d2 are mutually left-recursive"},
		{"hidden left recursion", "grammar x; a : {act} a 'x' | 'y' ; b : (b 'x' | 'y') ; c : c? 'x' ; d : 'x'* d ; e : e e | ;", `1:12: rule a is left-recursive, but not as the first element of an alternative
1:36: rule b is left-recursive, but not as the first element of an alternative
1:56: rule c is left-recursive, but not as the first element of an alternative
1:69: rule d is left-recursive, but not as the first element of an alternative
1:82: rule e is left-recursive, but not as the first element of an alternative
1:86: rule e: the rest of this alternative can be empty after e, so the recursion never ends`},
		{"endless left recursion", "grammar x; a : a 'x' | a 'y' ; b : b | 'x' ; c : c 'x'? | 'y' ; d : 'x' | d {act} ;", `1:12: rule a begins with itself in all alternatives
1:36: rule b: the rest of this alternative can be empty after b, so the recursion never ends
1:50: rule c: the rest of this alternative can be empty after c, so the recursion never ends
1:75: rule d: the rest of this alternative can be empty after d, so the recursion never ends`},
		{"left recursion in a lexer", "lexer grammar x; A : A 'x' | 'y' ; B : C 'x' ; C : 'c'? B ;",
			"1:18: rule A is left-recursive, but not as the first element of an alternative\n1:36: rules B, C are mutually left-recursive"},
		{"empty loop bodies", "grammar x; s : (t?)* ('a'* | 'b')+ (u)* ({act})* 'x'? ; t : 'a' ; u : v v ; v : ; A : (B)+ ; fragment B : 'b'? ;", `1:16: rule s has a loop whose body can be empty
1:22: rule s has a loop whose body can be empty
1:36: rule s has a loop whose body can be empty
1:41: rule s has a loop whose body can be empty
1:87: rule A has a loop whose body can be empty`},
		{"loops over EOF", "grammar x; s : (t | 'a')+ ('b' EOF)* ; t : 'c'? u ; u : EOF ; A : 'a' EOF* ;",
			"1:16: rule s has a loop whose body can begin with EOF\n1:71: rule A has a loop whose body can begin with EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := loadText(test.grammar)
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("got %v, want problems", err)
			}
			var lines []string
			for _, p := range problems {
				lines = append(lines, strings.TrimPrefix(p.String(), "x.g4:"))
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestLongLists(t *testing.T) {
	if got := SomeOf(strings.Fields("a b c d e f g h"), 8); got != "a, b, c, d, e, f, g, h" {
		t.Error(got)
	}
	if got := SomeOf(strings.Fields("a b c d e f g h i j"), 8); got != "a, b, c, d, e, f, g, h and 2 more" {
		t.Error(got)
	}
}
