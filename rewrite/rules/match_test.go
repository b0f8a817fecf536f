package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"whittle/grammars"
	"whittle/parse"
	"whittle/rewrite/rules"
)

const places = "@place $$$\n@place void f(void) { $$$ }\n@place void f(void) { x = $$$; }\n@hole S x;\n@hole T int\n"

// matches applies the first alternative of the first rule to a file at each match.
func matches(t *testing.T, language, text, source string) (results []string) {
	t.Helper()
	l, _ := grammars.Find(language)
	set, err := rules.Read("r", []byte(text), grammars.Rules)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Check(l); err != nil {
		t.Fatal(err)
	}
	tree, err := l.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range set.In(l).Matches(0, tree) {
		results = append(results, string(parse.Whole(tree).Apply(m.Edits...).Drop(m.Drop...).Render()))
	}
	return results
}

func TestMatch(t *testing.T) {
	for _, x := range []struct {
		name, rule, source string
		want               []string
	}{
		{"outer matches come first", "f($X) => $X", "void m() { f(f(1)); }",
			[]string{"void m() { f(1); }", "void m() { f(1); }"}},
		{"keywords and brackets are not nodes", "$A $B; => $A;", "void m() { return; int a; return x; }",
			[]string{"void m() { return; int; return x; }"}},
		{"a whole node", "$A * $B => $A", "void m() { x = a + b * c; }", []string{"void m() { x = a + b; }"}},
		{"the largest node", "$A + $B => $B", "void m() { x = a + b + c; }",
			[]string{"void m() { x = c; }", "void m() { x = b + c; }"}},
		{"the same text twice", "$A = $A + $B => $A += $B", "void m() { a[1] = a[ 1 ] + 2; b = c + d; }",
			[]string{"void m() { a[1] += 2; b = c + d; }"}},
		{"different texts of $_", "g($_, $_) => 0", "void m() { g(1, 2); }", []string{"void m() { 0; }"}},
		{"comments and white space", "if ($C) $S => while ($C) $S", "void m() { if // yes\n ( /* a */ a) b(); }",
			[]string{"void m() { while\n ( /* a */ a) b(); }"}},
		{"siblings", "f($$$X) => g($$$X, 0)", "void m() { f(1, (2, 3)); }", []string{"void m() { g(1, (2, 3), 0); }"}},
		{"no siblings", "f($$$X) => g($$$X)", "void m() { f(); }", []string{"void m() { g(); }"}},
		{"siblings and the last one", "f($$$X, $Y) => f($Y)", "void m() { f(1, 2, 3); f(1); }", []string{"void m() { f(3); f(1); }"}},
		{"two runs of siblings", "f($$$X, 0, $$$Y) => f($$$Y, $$$X)", "void m() { f(1, 2, 0, 3); }",
			[]string{"void m() { f(3,1, 2); }"}},
		{"siblings of a statement", "int $X = $E; return $X; => return $E;", "int m() { a(); int b = 1 + 2; return b; }",
			[]string{"int m() { a(); return 1 + 2; }"}},
		{"siblings at the end only", "int $X = $E; return $X; => return $E;", "int m() { int b = 1; return b + 1; }", nil},
		{"empty alternative", "f($X); =>", "void m() { a(); f(1); b(); }", []string{"void m() { a(); b(); }"}},
		{"match equal to the alternative", "f($X); => f(1);", "void m() { f(1); f(2); }", []string{"void m() { f(1); f(1); }"}},
		{"kept text keeps its lines", "$T $F() { $$$B } => int $F() { $$$B }", "long m()\n{\n\ta(); // so\n\n\tb();\n}\n",
			[]string{"int m()\n{\n\ta(); // so\n\n\tb();\n}\n"}},
		{"words in any case", "@anycase\nF($X); =>", "void m() { f(1); F(2); }", []string{"void m() { F(2); }", "void m() { f(1); }"}},
		{"bars in patterns belong to the language", "$A | $B => $A \\| 0", "void m() { x = a | b; }",
			[]string{"void m() { x = a | 0; }"}},
		{"a whole file", "int $X; => int y;", "int x;", []string{"int y;"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := matches(t, "c", places+x.rule+"\n", x.source); !slices.Equal(got, x.want) {
				t.Errorf("%q, want %q", got, x.want)
			}
		})
	}
}

// The same rules work with different front ends.
func TestMatchLanguages(t *testing.T) {
	for _, x := range []struct {
		language, rules, source string
		want                    []string
	}{
		{"python", "if $C: $$$B => $$$B", "if a:\n    b()\n    c()\nd()\n", []string{"b()\nc()\nd()\n"}},
		{"smt2", "@hole T Int\n(declare-fun $F () $T) => (declare-const $F $T)", "(declare-fun x () Int)\n",
			[]string{"(declare-const x Int)\n"}},
		{"javascript", "return $E => $E", "function f() { return 1; }\nfunction g() { return 2 }\n",
			[]string{"function f() { 1; }\nfunction g() { return 2 }\n", "function f() { return 1; }\nfunction g() { 2 }\n"}},
		{"json", "@place [$$$]\n@hole _ 1\n[$A, $B] => $A", `{"a": [1, [2, 3]]}`, []string{`{"a": 1}`, `{"a": [1, 2]}`}},
		{"xml", "<$N>$$$X</$N> => <$N/>", "<a><b>x</b></a>", []string{"<a/>", "<a><b/></a>"}},
		{"go", "@place package p; func f() { $$$ }\nif $C { $$$S } => $$$S", "package p\nfunc f() { if a { b(); c() } }\n",
			[]string{"package p\nfunc f() { b(); c() }\n"}},
	} {
		t.Run(x.language, func(t *testing.T) {
			if got := matches(t, x.language, x.rules+"\n", x.source); !slices.Equal(got, x.want) {
				t.Errorf("%q, want %q", got, x.want)
			}
		})
	}
}

func TestMatchIsQuick(t *testing.T) {
	began := time.Now()
	source := "void m() { f(" + strings.Repeat("a, ", 3000) + "a); x = " + strings.Repeat("a + ", 3000) + "a; }"
	for _, rule := range []string{
		"f($$$A, $$$B, $$$C, $$$D, z) => 0",
		"$A + $B + $C + $D + z => 0",
		"f($$$A, $$$A, z) => 0",
	} {
		if got := matches(t, "c", places+rule+"\n", source); got != nil {
			t.Errorf("%s matches", rule)
		}
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
