package whittle_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
)

// Needed is a pattern for the file without whitespace.
func TestTrees(t *testing.T) {
	for _, c := range []struct{ language, source, needed, want string }{
		// The contents of brackets move into the surrounding list.
		{"c", "int main() { int a; { g(); h(); } }\n", `^intmain.*\{.*g\(\);h\(\);\}`, "int main{ g(); h(); }"},
		{"c", "int main() { if (a) { g(); h(); } }\n", `^intmain\(\)\{.*g\(\);h\(\);`, "int main() { g(); h(); }"},
		{"c", "int a[] = {{1,2},3};\n", `^inta\[\]=\{.*1,2.*,3`, "int a[] = {1,2,3};"},
		{"cpp", "namespace a { struct B { int x; }; int f() { return 1; } }\n", `structB\{.*intf\(`,
			"struct B {}; int f() {}"},
		{"cpp", "namespace a { struct B { int x; }; }", `structB\{intx;\};`, "struct B { int x; };"},
		{"cpp", "extern \"C\" { int f(); int g(); }\n", `intf.*intg`, "int f; int g;"},
		{"java", "class A { void f() { while (y) { if (x) { g(); h(); } } } }\n", `voidf\(\)\{.*g\(\);h\(\);`,
			"void f() { g(); h(); }"},
		{"javascript", "function f() { if (x) { g(); h(); } }\n", `^functionf.*g\(\);h\(\);`, "function f() { g(); h(); }"},
		{"go", "package a\nfunc f() {\n\tif x {\n\t\tg()\n\t\th()\n\t}\n}\n", `funcf.*g\(\).*h\(\)`,
			"func f() {\n\tg()\n\th()}"},
		{"rust", "mod a { fn f() {} fn g() {} }\n", `fnf.*fng`, "fn f() {} fn g() {}"},
		{"csharp", "class A { void F() { if (x) { G(); H(); } } }\n", `G\(\);H\(\);`, "G(); H();"},
		{"typescript", "namespace A { class B { f() { if (x) { G(); H(); } } } }\n", `G\(\);H\(\)`, "G(); H()"},
		{"kotlin", "fun f() { if (x) { g(); h() } }\n", `g\(\).*h\(\)`, "g()h()"},
		{"swift", "func f() { if x { g(); h() } }\n", `g\(\);h\(\)`, "g(); h()"},
		{"python", "f((a, b))\n", `f\(.*a,b`, "f(a, b)"},
		// A body without its head loses the indentation.
		{"python", "if a:\n    g()\n    h()\n", `g\(\)h\(\)`, "g()\nh()"},
		{"python", "k()\nif a:\n    g()\n", `k\(\).*g\(\)`, "k()\ng()"},
		{"python", "def main():\n    k()\n    if a:\n        g()\n        h()\nmain()\n", `g\(\)h\(\)`, "g()\nh()"},
		{"python", "for x in y:\n    g()\n    while z:\n        h()\n        i()\nu()\n", `forx.*g\(\).*h\(\)i\(\)`,
			"for x in y:\n g()\n h()\n i()"},
		// Parentheses, also if no token ends a statement.
		{"python", "x = (a)\nf()\n", `x=.*a`, "x = a"},
		{"python", "(\"hello\")\n", `"hello"`, `"hello"`},
		{"javascript", "f = (a)\ng(b)\n", `f=.*a`, "f = a"},
		{"javascript", "(\"hello\")", `"hello"`, `"hello"`},
		{"kotlin", "fun f() { g((a)) }\n", `g\(.*a`, "g(a)"},
		// A file without a final line break.
		{"python", "from x import *", `x`, "x"},
		// A number without its sign, an argument, a declaration instead of a body, the first part of a loop.
		{"c", "int a = -1;\n", `inta=.*1`, "int a = 1;"},
		{"c", "int x = f(1, 2);\n", `intx=f\(.*2\)`, "int x = f(2);"},
		{"c", "int f(int a) { k(); return 1; }\n", `^intf\(inta\).*;`, "int f(int a) ;"},
		{"c", "int main() { for (g(); a; b) { k(); } }\n", `^intmain\(\)\{.*g\(\);`, "int main() { g(); }"},
	} {
		needed := regexp.MustCompile(c.needed)
		result, err := whittle.Reduce(t.Context(), whittle.Options{
			Input: []byte(c.source), Language: language(t, c.language),
			Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
				if needed.MatchString(strings.Join(strings.Fields(string(candidate)), "")) {
					return algo.Interesting, nil
				}
				return algo.Uninteresting, nil
			},
		})
		if got := string(result.File); darkOf(got) != darkOf(c.want) || err != nil {
			t.Errorf("%s: %q became %q, want %q, %v", c.language, c.source, got, c.want, err)
		}
	}
}

func darkOf(text string) string { return strings.Join(strings.Fields(text), "") }
