package antlr

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"whittle/parse"
	"whittle/parse/antlr/g4"
)

func languageOf(t testing.TB, grammar string) *Language {
	t.Helper()
	g, err := g4.Load(func(string) ([]byte, error) { return []byte(grammar), nil }, "T.g4")
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(g, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// sketch draws a tree: nodes in parentheses, and slots as ? optional, * star, + plus, ^ separator.
func sketch(tree *parse.Tree) string {
	var b strings.Builder
	var show func(n int32)
	show = func(n int32) {
		node := &tree.Nodes[n]
		if tree.IsLeaf(n) {
			token := tree.Tokens[node.First]
			b.Write(tree.Source[token.Start:token.End])
		} else {
			b.WriteByte('(')
			for c := n + 1; c < node.Next; c = tree.Nodes[c].Next {
				if c > n+1 {
					b.WriteByte(' ')
				}
				show(c)
			}
			b.WriteByte(')')
		}
		b.WriteString([]string{"", "?", "*", "+", "^"}[node.Slot])
	}
	show(0)
	return b.String()
}

const words = " ID : [a-z]+ ; INT : [0-9]+ ; WS : [ \\n]+ -> skip ; NOTE : '#' ~[\\n]* -> channel(HIDDEN) ;"

func TestGroups(t *testing.T) {
	for _, test := range []struct{ what, rules, input, want string }{
		{"star", "f : ID* EOF ;", "a b", "(a* b*)"},
		{"plus", "f : ID+ INT EOF ;", "a b 1", "(a+ b+ 1)"},
		{"optional", "f : ID? INT? EOF ;", "a 1", "(a? 1?)"},
		{"a list with separators", "f : '[' x (',' x)* ']' EOF ; x : ID ;", "[a,b,c]", "([ a+ ,^ b+ ,^ c+ ])"},
		{"one that may be empty", "f : '[' (x (',' x)*)? ']' EOF ; x : ID ;", "[a,b]", "([ a* ,^ b* ])"},
		{"of one", "f : '[' (x (',' x)*)? ']' EOF ; x : ID ;", "[a]", "([ a* ])"},
		{"separators behind", "f : '[' (x ',')* x ']' EOF ; x : ID ;", "[a,b,c]", "([ a+ ,^ b+ ,^ c+ ])"},
		{"with a trailing separator", "f : '[' x (',' x)* ','? ']' EOF ; x : ID ;", "[a,b,]", "([ a+ ,^ b+ ,? ])"},
		{"two lines between", "f : x (',' ';' x)* EOF ; x : ID INT ;", "a 1,;b 2", "((a 1)+ (, ;)^ (b 2)+)"},
		{"a repeated group", "f : ('a' ID)* EOF ;", "a b a c", "((a b)* (a c)*)"},
		{"a choice", "f : ('(' ID ')' | INT) ID EOF ;", "(a) b", "((( a )) b)"},
		{"of tokens", "f : (ID | INT) ID EOF ;", "1 b", "(1 b)"},
		{"nested optional", "f : 'x' (ID (INT ID)?)? EOF ;", "x a 1 b", "(x (a (1 b)?)?)"},
		{"a rule that may be empty", "f : g ';' EOF ; g : ID* ;", "a b;", "((a* b*)? ;)"},
		{"nested lists are nodes", "f : '{' s* '}' EOF ; s : ID ';' | '{' s* '}' ;", "{a; {b; c;} d;}",
			"({ ((a ;)* ({ ((b ;)* (c ;)*)? })* (d ;)*)? })"},
		{"left recursion", "f : a EOF ; a : a ID | ID ;", "x y z", "((x y* z*))"},
		{"right recursion", "f : a EOF ; a : ID a | ID ;", "x y z", "((x+ y+ z+))"},
		{"to nothing", "f : a EOF ; a : ID a | ;", "x y z", "((x* y* z*)?)"},
		{"to another end", "f : a EOF ; a : ID a | INT ;", "x y 1", "((x* y* 1))"},
		{"with a separator", "f : a EOF ; a : ID ',' a | ID ;", "x,y,z", "((x+ ,^ y+ ,^ z+))"},
		{"left, with a separator", "f : a EOF ; a : a ',' ID | ID ;", "x,y,z", "((x+ ,^ y+ ,^ z+))"},
		{"operators", "f : e EOF ; e : e '*' e | e '+' e | ID ;", "a+b*c+d", "((a+ +^ (b+ *^ c+)+ +^ d+))"},
		{"suffixes", "f : e EOF ; e : e '.' ID | e '(' e ')' | ID ;", "a.b(c).d", "((a (. b)* (( c ))* (. d)*))"},
		{"prefixes", "f : e EOF ; e : '-' e | e '+' e | ID ;", "--a", "((-* -* a))"},
		{"ternary", "f : e EOF ; e : <assoc=right> e '?' e ':' e | ID ;", "a?b:c", "((a (? b : c)*))"},
		{"comments are leaves", "f : ID (',' ID)* EOF ;", "a #x\n, #y\n b #z", "(a+ #x* ,^ #y* b+ #z*)"},
		{"a chain is one node", "f : a INT EOF ; a : b ; b : c ; c : ID ID ;", "x y 1", "((x y) 1)"},
	} {
		l := languageOf(t, "grammar T; "+test.rules+words)
		tree, err := l.Parse([]byte(test.input))
		if err != nil {
			t.Fatal(err)
		}
		if got := sketch(tree); got != test.want || tree.Errors > 0 {
			t.Errorf("%s: %q is %s, want %s; %d errors", test.what, test.input, got, test.want, tree.Errors)
		}
	}
}

func TestFits(t *testing.T) {
	const nest = "f : '{' s* '}' EOF ; s : ID ';' | '{' s* '}' ;"
	const math = "f : e ';' EOF ; e : e '*' e | e '+' e | '(' e ')' | ID | INT ;"
	for _, test := range []struct{ rules, input, node, by, want string }{
		{nest, "{a;{b;c;}}", "{b;c;}", "b;c;", "{a;b;c;}"},
		{nest, "{a;{b;c;}}", "{b;c;}", "c;", "{a;c;}"},
		{nest, "{a;{b;c;}}", "{b;c;}", "b", ""},
		{math, "(a+b)*1;", "(a+b)*1", "(a+b)", "(a+b);"},
		{math, "(a+b)*1;", "(a+b)", "a+b", "a+b*1;"},
		{math, "(a+b)*1;", "(a+b)*1", "1", "1;"},
		{"f : x ';' EOF ; x : y? ID z? ; y : '+' ; z : '(' f2 ')' ; f2 : ID ;", "+a(b);", "+a(b)", "b", "b;"},
	} {
		l := languageOf(t, "grammar T; "+test.rules+words)
		tree, err := l.Parse([]byte(test.input))
		if err != nil {
			t.Fatal(err)
		}
		n, d := nodeOf(tree, test.node), nodeOf(tree, test.by)
		if n < 0 || d < 0 {
			t.Fatalf("%q has no node %q or %q: %s", test.input, test.node, test.by, sketch(tree))
		}
		got := ""
		if tree.Replaceable(n, d) {
			got = string(parse.Whole(tree).Hoist(n, d).Render())
		}
		if got != test.want {
			t.Errorf("%q with %q for %q is %q, want %q", test.input, test.by, test.node, got, test.want)
		}
	}
}

func nodeOf(tree *parse.Tree, text string) int32 {
	for i := int32(1); i < int32(len(tree.Nodes)); i++ {
		n := &tree.Nodes[i]
		if n.First < n.Last && string(tree.Source[tree.Tokens[n.First].Start:tree.Tokens[n.Last-1].End]) == text {
			return i
		}
	}
	return -1
}

func TestErrors(t *testing.T) {
	const rules = "f : s* EOF ; s : ID '=' e ';' ; e : e '+' e | ID | INT ; "
	l := languageOf(t, "grammar T; "+rules+words)
	for _, test := range []struct {
		input string
		want  []string
	}{
		{"a = b;", nil},
		{"a = ;\nb = 1;", []string{`1:5: ";" is superfluous; expected ID INT`,
			`2:3: "=" is not expected; expected ";"`}},
		{"a = b c;\nd = 1;", []string{`1:7: "c" is superfluous; expected ";"`}},
		{"a = b\nd = 1;", []string{`2:1: ";" is missing before "d"`}},
		{"a = b; $$ c = d; %", []string{`1:8: no token begins with "$"`, `1:18: no token begins with "%"`}},
		{"a =", []string{`1:4: the end of the file is not expected; expected ID INT`}},
		{"a = 1; ) ) b = 2; = c = 1;", []string{`1:8: no token begins with ")"`, `1:10: no token begins with ")"`,
			`1:19: "=" is superfluous; expected ID the end of the file`}},
	} {
		faults, err := l.Faults([]byte(test.input))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range faults {
			got = append(got, fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Text))
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%q:\n%s\nwant\n%s", test.input, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
		if n := l.Errors([]byte(test.input)); n != len(test.want) {
			t.Errorf("%q: %d errors, want %d", test.input, n, len(test.want))
		}
		tree, err := l.Parse([]byte(test.input))
		if err != nil || !bytes.Equal(parse.Whole(tree).Render(), []byte(test.input)) {
			t.Errorf("%q: %v, became %q", test.input, err, parse.Whole(tree).Render())
		}
	}
}
