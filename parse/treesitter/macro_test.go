package treesitter_test

import (
	"strings"
	"testing"

	"whittle/parse"
)

// Macros in capitals are nodes that can be deleted. Types, names and statements are not taken for macros.
func TestMacros(t *testing.T) {
	for _, x := range []struct {
		language, source, dropped string // without all macros
	}{
		{"cpp", "A_BEGIN\nnamespace b {\nint f() { return 1; }\n}\nA_END\nint g;\n",
			"namespace b {\nint f() { return 1; }\n}\nint g;\n"},
		{"cpp", "// c\n#if A\nPUSH_(4251)\n#endif\nA_BEGIN\nusing a = b;\nA_END\n", "// c\n#if A\n#endif\nusing a = b;\n"},
		{"cpp", "AN_API void f(int x) { return; }\n", "void f(int x) { return; }\n"},
		{"cpp", "AN_API const char* f(int x);\n", "const char* f(int x);\n"},
		{"cpp", "AN_API std::string f(int x);\n", "std::string f(int x);\n"},
		{"cpp", "class AN_API B : C { int x; };\n", "class B : C { int x; };\n"},
		{"cpp", "struct AN_API(1) B<int> { int x; };\n", "struct B<int> { int x; };\n"},
		{"cpp", "AN_EXPORT template <class T> struct D { T x; };\n", "template <class T> struct D { T x; };\n"},
		{"cpp", "template <class T> INLINE auto f(T x) -> T;\n", "template <class T> auto f(T x) -> T;\n"},
		{"cpp", "struct A { CONSTEXPR A() : x(1) {} CONSTEXPR20 ~A() {} int x; };\n",
			"struct A { A() : x(1) {} ~A() {} int x; };\n"},
		{"cpp", "struct A {\n Q_OBJECT\n public:\n int x; };\n", "struct A {\n public:\n int x; };\n"},
		{"cpp", "int f() NOEXCEPT { return 1; }\n", "int f() { return 1; }\n"},
		{"c", "static INLINE int f(void) { return 1; }\n", "static int f(void) { return 1; }\n"},
		{"c", "AN_API int f(void);\n", "int f(void);\n"},

		{"c", "#define CONST static\n#define TYPE \\\n  struct s\nFILE *f(void);\n", ""},
		{"c", "SIZE f(TYPE a, TYPE *b) { SIZE c = LIMIT; LABEL: CALL(c); return LIMIT; }\n", ""},
		{"c", "FILE\nf(void) { return STDIN; }\n", ""},
		{"c", "struct FOUR a; struct FOUR { int x; }; enum { ONES, TWOS };\n", ""},
		{"c", "#define MACRO 1\nint f(int MACRO) { return MACRO; }\n", ""},
		{"cpp", "class FOUR : public FIVE { FOUR(); FIVE g; };\n", ""},
		{"c", "int " + strings.Repeat("A", 5000) + ";\n" + strings.Repeat("B", 5000) + " c;\n", ""},
		{"cpp", "TEST(AAAA, b) { if (CALL(1)) { CALL(2); } }\n", ""},
	} {
		tree := read(t, x.language, x.source)
		if tree.Errors > 0 {
			t.Errorf("%q has %d errors", x.source, tree.Errors)
		}
		c := parse.Whole(tree)
		for n := range tree.Nodes {
			if tree.Nodes[n].Comment && !strings.HasPrefix(string(c.TextOf(int32(n))), "//") {
				c = c.Drop(int32(n))
			}
		}
		want := x.dropped
		if want == "" {
			want = x.source
		}
		if got := string(c.Render()); squeeze(got) != squeeze(want) {
			t.Errorf("%q without macros is %q", x.source, got)
		}
	}
}
