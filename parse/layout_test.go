package parse_test

import (
	"strings"
	"testing"

	"whittle/parse"
)

func TestPlain(t *testing.T) {
	for _, x := range []struct{ language, source, plain, careful string }{
		{"c", "\n\n    int f() {\n\n\n        if (a)  \n            b  =  c;\n    }\n \n",
			"int f() {\n  if (a)\n    b = c;\n}\n", "    int f() {\n\n        if (a)\n            b  =  c;\n    }\n"},
		{"c", "int x; // a\n\n  // b\nint y;  ", "int x; // a\n  // b\nint y;\n", "int x; // a\n\n  // b\nint y;\n"},
		{"c", "#define A  1\r\n\r\n\tint y;\r\n", "#define A 1\r\n\tint y;\r\n", "#define A  1\r\n\r\n\tint y;\r\n"},
		{"c", "int a[] = { \n };\n", "int a[] = {};\n", "int a[] = {};\n"},
		{"json", "{\n\n  \"a\": [\n\n\n  ],\n    \"b\":\t1\n}", "{\n  \"a\": [],\n    \"b\":\t1\n}\n",
			"{\n\n  \"a\": [],\n    \"b\":\t1\n}\n"},
		{"python", "if a:\n    b\n\n    if c:\n        d\n    e\nf\n\n\n", "if a:\n  b\n  if c:\n    d\n  e\nf\n",
			"if a:\n    b\n\n    if c:\n        d\n    e\nf\n"},
		{"go", "package p\n\n\nfunc f() {\n\t\tg()\n\t\th()\n}\n", "package p\nfunc f() {\n\tg()\n\th()\n}\n",
			"package p\n\nfunc f() {\n\t\tg()\n\t\th()\n}\n"},
		{"structure", "a \\\n\n  b  c\n\n\nd", "a \\\n\n  b c\nd\n", "a \\\n\n  b  c\n\nd\n"},
		{"lines", "a  b\n\n\nc", "a  b\n\n\nc\n", "a  b\n\n\nc\n"},
	} {
		tree := whole(t, x.language, x.source).Tree()
		for careful, want := range map[bool]string{false: x.plain, true: x.careful} {
			if got := string(parse.Plain(tree, careful).Render()); got != want {
				t.Errorf("%s: %q is plainly %q, want %q (careful: %v)", x.language, x.source, got, want, careful)
			}
		}
	}
}

// Languages with many significant lines have no pretty layout.
func TestPretty(t *testing.T) {
	for _, x := range []struct{ language, source, want string }{
		{"c", "void f()\n{\n int a;\n\n   g (a,\n b );\n    }", "void f() {\n  int a;\n  g (a, b);\n}\n"},
		{"c", "int f() { if (a) { b(); c(); } }\n", "int f() {\n  if (a) {\n    b();\n    c();\n  }\n}\n"},
		{"c", "struct s { int a; }; int b;", "struct s { int a; };\nint b;\n"},
		{"c", "#if A\n  int g;\n  #endif\n#define B(x) (y  -z)", "#if A\nint g;\n#endif\n#define B(x) (y  -z)\n"},
		{"c", "int a; // b\n\tint c;\r\n", "int a; // b\nint c;\n"},
		{"c", "char *s = \"a  b\\\n  c\";  \n", "char *s = \"a  b\\\n  c\";\n"},
		{"go", "package p\n\ntype s struct {\n\toff   int}\nfunc f() {\n\t\t\tg()}", "package p\ntype s struct {\n\toff int\n}\nfunc f() {\n\tg()\n}\n"},
		{"javascript", "function f() {\n      return\n  }\nf( 1)", "function f() {\n  return\n}\nf(1)\n"},
		{"json", "{\n   \"a\": [1,\n 2],\n  \"b\": {\n      }}", "{\"a\": [1, 2], \"b\": {}}\n"},
		{"xml", "<a>\n        <b/>\n    <c>d  e</c></a>", "<a>\n  <b/>\n  <c>d  e</c>\n</a>\n"},
		{"bash", "for i in a\n  do\n      b\n   c\n done", ""},
		{"sql", "SELECT a,\n b\nFROM c;\n\n\nSELECT d", "SELECT a, b FROM c;\nSELECT d\n"},
		{"smt2", "(assert\n   (> a b)) (check-sat)", "(assert (> a b))\n(check-sat)\n"},
		{"rust", "fn f() {let a = 1; g(a)}", "fn f() {\n  let a = 1;\n  g(a)\n}\n"},
		{"c", "void f() {\n  while ( a) g( b , c[ 1 ]);\n}", "void f() {\n  while (a) g(b, c[1]);\n}\n"},
		{"python", "if a:\n    f( b ,  c )\n\n    [ d\n    ]\n", "if a:\n  f(b, c)\n  [d]\n"},
		{"python", "def f(\n    a,\n    b\n):\n    return {\n        # c\n        a: b\n    }\n",
			"def f(a, b):\n  return {\n    # c\n    a: b\n  }\n"},
		{"python", "if a:\n    f( # c\n        b,\n        d)\n", "if a:\n  f(# c\n    b,\n    d)\n"},
		{"python", "if a:\n  f(" + strings.Repeat("b,\n  ", 40) + ")\n",
			"if a:\n  f(" + strings.Repeat("b,\n  ", 40) + ")\n"},
		{"ini", "[a]\nb=c\n\nd=e\n", "[a]\nb=c\nd=e\n"},
		{"c", "int k =p; int f(){ return a|| b;} int g() {}", "int k = p;\nint f() { return a || b; }\nint g() {}\n"},
		{"rust", "impl A for T{}\nfn f() {g(-1)}", "impl A for T {}\nfn f() {g(-1)}\n"},
		{"cpp", "struct b { friend operator< (b, c } struct A { b f() { [] (A a) { a < a", "struct b { friend operator< (b, c }\nstruct A { b f() { [] (A a) { a < a\n"},
		{"rust", "macro_rules! a {\n () => { # [derive(B)] enum C { D } ; g ( ) } }", "macro_rules! a {\n  () => {\n    # [derive(B)] enum C { D };\n    g ()\n  }\n}\n"},
		{"java", "class A{void f(){a();b();}}", "class A{\n  void f(){\n    a();\n    b();\n  }\n}\n"},
	} {
		tree := whole(t, x.language, x.source).Tree()
		p := parse.NewPretty(tree)
		c := p.Best(func(c *parse.Candidate) bool {
			other := whole(t, x.language, string(c.Render())).Tree()
			return parse.Alike(tree, other, func(int32, bool) bool { return false })
		})
		got := ""
		if c != nil {
			got = string(c.Render())
		}
		if got != x.want {
			t.Errorf("%s: %q is pretty as\n%q, want\n%q", x.language, x.source, got, x.want)
		}
	}
}
