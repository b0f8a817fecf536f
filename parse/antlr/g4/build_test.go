package g4

import (
	"strings"
	"testing"
)

func TestBuild(t *testing.T) {
	for _, test := range []struct{ name, grammar, want string }{
		{"combined", `grammar x; s : A 'b' t? EOF ; t : | A+? (A | 'c')?? ; A : 'a' ; WS : [ \t]+ -> skip ;`, `
tokens "b" "c" A"a" WS
s: A"a" "b" (t)? EOF
t:  | (A"a")+? (A"a" | "c")??
T__0=1: [b]
T__1=2: [c]
A=3: [a]
WS=4: ([<9> ])+ -> 0:skip
`},
		{"byte order mark and CRLF", "\ufeffgrammar x;\r\ns : 'a' ;\r\n// end\r// end", `
tokens "a"
s: "a"
T__0=1: [a]
`},
		{"comments everywhere", `/** doc */ grammar /* c */ x; // line
/** doc */ s /**/ : /**/ 'a' // ;
/* ; */ | 'b' ; /** last */`, `
tokens "a" "b"
s: "a" | "b"
T__0=1: [a]
T__1=2: [b]
`},
		{"everything around a rule", `grammar x;
options { language = Go; superClass = a.B; k = 'x'; n = 3; }
@header { "}" '}' /* } */ // }
}
@parser::members { if (a) { b("\"}"); } }
@lexer::members { }
public s[int a, String b = "]"] returns [int x] locals [List<int[]> y] throws A.B, C
options { k = 1; } @init { } @after { }
: a=A b+=A <opt=1, assoc=left> t[3, "]"] # label
| x=(A | 'b') ( options { greedy=false; } @init { } : A )* #other
| { act({}) } { p() }? <fail='no'> { q() }?=> A
; catch [E e] { } finally { }
private t[int i] : ; protected u : s ; A : 'a' { lexer }; fragment B options { caseInsensitive = true; } : 'b' ;`, `
tokens "b" A"a"
s: A"a" A"a" t | (A"a" | "b") (A"a")* | {act({})} {p()}? {q()}? A"a"
t: 
u: s
T__0=1: [b]
A=2: [a] {lexer}
fragment B=0: [Bb]
`},
		{"rules named like keywords", `grammar x; s : options tokens channels ; options : 'a' ; tokens : 'b'; channels : 'c' ;`, `
tokens "a" "b" "c"
s: options tokens channels
options: "a"
tokens: "b"
channels: "c"
T__0=1: [a]
T__1=2: [b]
T__2=3: [c]
`},
		{"Unicode names", `grammar x; größe : Ärger ; Ärger : 'ä' ;`, `
tokens Ärger"ä"
größe: Ärger"ä"
Ärger=1: [<e4>]
`},
		{"labels in a lexer", `lexer grammar x; A : a='a' b+=[b] ;`, `
tokens A
A=1: [a] [b]
`},
		{"left recursion", `grammar x; e : <assoc=right> e '^' e | e '*'<assoc=right> e | 'a' ;`, `
tokens "^" "*" "a"
e: <right> e "^" e | e "*" e | "a"
T__0=1: [^]
T__1=2: [*]
T__2=3: [a]
`},
		{"sets of tokens", `grammar x; s : ~A ~'b' ~(A | 'b' | C) ~EOF . ~( 'b' ) ; A : 'a' ; C : 'c' ; D : 'd' ;`, `
tokens "b" A"a" C"c" D"d"
s: ~[2] ~[1] ~[1-3] ~[-1] . ~[1]
T__0=1: [b]
A=2: [a]
C=3: [c]
D=4: [d]
`},
		{"lexer elements", `lexer grammar x; A : 'ab' ('c'|'d')? 'e'..'g' [h-j] ~[k] ~'l' ~('m'|'n'..'p'|[q]) . .*? 'xy'* B EOF ; fragment B : (('b')) ;`, `
tokens A
A=1: [a] [b] ([c] | [d])? [e-g] [h-j] ~[k] ~[l] ~[m-q] . (.)*? ([x] [y])* B EOF
fragment B=0: (([b]))
`},
		{"escapes", `lexer grammar x; A : '\n\r\t\b\f\\\'A\u0042\u{1F600}\uD83D\uDE00' [\n\]\-\\\u0041-\u{43}'"] ;`, `
tokens A
A=1: [<a>] [<d>] [<9>] [<8>] [<c>] [\] ['] [A] [B] [<1f600>] [<1f600>] [<a>"'-A-C\-]]
`},
		{"hyphens in sets", `lexer grammar x; A : [-a] [a-] [a-c-e] [--/] [^a] ;`, `
tokens A
A=1: [-a] [-a] [-a-ce] [--/] [^a]
`},
		{"case", `grammar x; options { caseInsensitive = true; } s : 'if' '1' ; A : 'a'..'c' [X-Z_] ~[q] ; B options { caseInsensitive = false; } : 'b' ;
C : [A-z] [k] [\p{Lt}ǆ] ;`, `
tokens "if" "1" A B C
s: "if" "1"
T__0=1: [Ii] [Ff]
T__1=2: [1]
A=3: [A-Ca-c] [X-Z_x-z] ~[Qq]
B=4: [b]
C=5: [A-z] [Kk] [<1c4>-<1c6><1c8><1cb><1f2><1f88>-<1f8f><1f98>-<1f9f><1fa8>-<1faf><1fbc><1fcc><1ffc>]
`},
		{"commands", `lexer grammar x; channels { C, D } tokens { T }
A : 'a' -> skip ; B : 'b' -> more, mode(M) ; E : 'e' 'e' -> type(T), channel(D), pushMode(M) ; F : 'f' -> channel(HIDDEN), popMode ;
G : 'g' -> type(7), channel(9), mode(0) ; H : 'h' -> skip | 'i' | 'j' -> type(EOF) ; fragment I : 'i' -> skip ;
mode M; J : 'j' -> mode(DEFAULT_MODE), channel(C), channel(DEFAULT_TOKEN_CHANNEL) ;
mode N; K : 'k' -> mode(M) ; mode M; L : 'l' ;`, `
tokens T A"a" F"f" H J K"k" L"l" B"b"
A=2: [a] -> 0:skip
B=8: [b] -> 0:more -> 0:mode M
E=0: [e] [e] -> 0:type T -> 0:channel 3 -> 0:push M
F=3: [f] -> 0:channel 1 -> 0:pop
G=0: [g] -> 0:type L"l" -> 0:channel 9 -> 0:mode DEFAULT_MODE
H=4: [h] | [i] | [j] -> 0:skip -> 2:type EOF
fragment I=0: [i]
M J=5: [j] -> 0:mode DEFAULT_MODE -> 0:channel 2 -> 0:channel 0
N K=6: [k] -> 0:mode M
M L=7: [l]
`},
		{"literals with a rule of their own", `grammar x; s : 'a' 'b' 'c' 'd' 'e' 'f' 'g' '\n' '\u000A' ;
A : 'a' ; B : 'b' -> channel(HIDDEN) ; C : 'c' { x } ; D : ('d') ; E : 'e' | 'e' ; fragment F : 'f' ; G : 'g' ; H : 'g' ; N : '\n' ;`, `
tokens "d" "e" "f" "\n" A"a" B"b" C"c" D E G"g" H N"\n"
s: A"a" B"b" C"c" "d" "e" "f" G"g" N"\n" "\n"
T__0=1: [d]
T__1=2: [e]
T__2=3: [f]
T__3=4: [<a>]
A=5: [a]
B=6: [b] -> 0:channel 1
C=7: [c] {x}
D=8: ([d])
E=9: [e] | [e]
fragment F=0: [f]
G=10: [g]
H=11: [g]
N=12: [<a>]
`},
		{"tokens without rules", `grammar x; tokens { A, B, } s : A C ; D : 'd' -> type(B) ; E : F ; fragment F : 'f' ;`, `
tokens E D"d" A B C
s: A C
D=2: [d] -> 0:type B
E=1: F
fragment F=0: [f]
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := mustLoad(t, test.grammar)
			if got := show(g); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, test.want)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	g := mustLoad(t, "grammar x;\r\ns : 'ä' t\r\n  (t)* ;\r\nt:'b';")
	alt := g.Rules[0].Body.Alts[0]
	if at := g.Rules[0].Pos; at != (Pos{File: "x.g4", Line: 2, Column: 1}) {
		t.Errorf("the rule is at %v", at)
	}
	if at := alt.Elements[1].(*RuleRef).Pos; at != (Pos{File: "x.g4", Line: 2, Column: 9}) {
		t.Errorf("the reference is at %v", at)
	}
	if at := alt.Elements[2].(*Repeat).Pos; at != (Pos{File: "x.g4", Line: 3, Column: 3}) {
		t.Errorf("the loop is at %v", at)
	}
}
