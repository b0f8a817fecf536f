package deps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

func TestSlice(t *testing.T) {
	stubs := map[string]string{"go": "stub", "cpp": "stub;"}
	for _, x := range []struct{ name, language, source, clue, want string }{
		{"statements", "c", "int a(int x) { return x; }\nint b(void) { int u = a(1); return u; }\nint c(void) {\n  int v = 1;\n  int w = 2;\n  b();\n  crash(v);\n}\n",
			"@x.c:7:3",
			"int c(void) {\n  int v = 1;\n  crash(v);\n}\n"},
		{"functions that are called", "c", "int a(int x) { return x; }\nint b(void) { int u = a(1); return u; }\nint c(void) {\n  b();\n}\n",
			"@x.c:4:3",
			"int b(void) { }\nint c(void) {\n  b();\n}\n"},
		{"nested", "c", "int f(int x) {\n  g();\n  if (x) {\n    h();\n    crash();\n  }\n}\n",
			"@x.c:5:5", "int f(int x) {\n  if (x) {\n    crash();\n  }\n}\n"},
		{"pragmas", "c", "void f(int x) {\n#pragma a\n  g();\n#pragma b\n#pragma c\n  for (;;)\n    crash();\n}\n", "@x.c:7:5",
			"void f(int x) {\n#pragma b\n#pragma c\n  for (;;)\n    crash();\n}\n"},
		{"named", "c", "int f(void) { return 1; }\nint g(void) { return f(); }\n", "@- f", "int f(void) { return 1; }\n"},
		{"members", "cpp", "struct S { int a; int b; S(int); int m() { return b; } };\nint f(S s) {\n  return s.a;\n}\n", "@x.cc:3:3",
			"struct S { int a; };\nint f(S s) {\n  return s.a;\n}\n"},
		{"members of members", "cpp", "struct S {\n  typedef int t;\n  int m(t);\n  int n(t);\n};\nint f(S s) {\n  return s.m(1);\n}\n",
			"@x.cc:7:3", "struct S {\n  typedef int t;\n  int m(t);\n};\nint f(S s) {\n  return s.m(1);\n}\n"},
		{"members outside of their class", "cpp", "struct S {\n  int m();\n  struct n;\n};\nint S::m() { return 1; }\nstruct S::n { };\nint f(n *) {\n  return m();\n}\nint g() {\n  return 1;\n}\n",
			"@x.cc:8:3", "struct S {\n  int m();\n  struct n;\n};\nint S::m() { stub; }\nstruct S::n { };\nint f(n *) {\n  return m();\n}\n"},
		{"definitions outside of their class", "cpp", "struct S {\n  int m() noexcept(true);\n};\nint S::m() noexcept(true) { return 1; }\nint h(int x = m()) { return x; }\nint g(S s) {\n  return h();\n}\n",
			"@x.cc:7:3", "struct S {\n};\nint h(int x = m()) { stub; }\nint g(S s) {\n  return h();\n}\n"},
		{"constrained", "cpp", "template<class T> requires true using A = T;\nint f(A<int> s) {\n  return s;\n}\n",
			"@x.cc:3:3", "template<class T> requires true using A = T;\nint f(A<int> s) {\n  return s;\n}\n"},
		{"go", "go", "package p\n\nfunc f() {\n\tg()\n\tcrash()\n}\n\nfunc g() {\n}\n", "@x.go:5:2",
			"package p\n\nfunc f() {\n\tcrash()}"},
		{"stubs", "go", "package p\n\nfunc f() {\n\tg()\n\tcrash(g())\n}\n\nfunc g() int {\n\treturn 1\n}\n", "@x.go:5:2",
			"package p\n\nfunc f() {\n\tcrash(g())}\n\nfunc g() int {\n\tstub}"},
		{"stubs where a value is returned", "cpp", "void a() { x(); }\nint b() { return 1; }\nint f() {\n  int y = 1;\n  crash(a, b);\n  return 2;\n}\n",
			"@x.cc:5:3", "void a() { }\nint b() { stub; }\nint f() {\n  crash(a, b);\nstub;\n}\n"},
		{"members of a place", "rust", "struct A { x: u8, }\nimpl A {\nfn f() {}\nfn g() { crash(); }\n}\n", "@x.rs:2 0 closure g",
			"struct A { }\nimpl A {\nfn g() { crash(); }\n}\n"},
		{"base classes", "cpp", "template<class T> struct A { int a; };\ntemplate<class T> struct C { };\nstruct B : A<int>, std::C<int> { int b; };\nint f(B x) {\n  crash(x);\n}\n",
			"@x.cc:5:3", "template<class T> struct A { };\ntemplate<class T> struct C { };\nstruct B : A<int>, std::C<int> { };\nint f(B x) {\n  crash(x);\n}\n"},
		{"base classes of classes with members", "cpp", "struct A { int a; };\nstruct B : public A { int b; int c; };\nint f(B x) {\n  crash(x.b);\n}\n",
			"@x.cc:4:3", "struct A { };\nstruct B : public A { int b; };\nint f(B x) {\n  crash(x.b);\n}\n"},
		{"attributes of enumerators", "cpp", "enum E { C, B __attribute__((aligned(1))), A __attribute__((aligned(2))) };\nint f() {\n  crash(B);\n}\n",
			"@x.cc:3:3", "enum E { B __attribute__((aligned(1))), };\nint f() {\n  crash(B);\n}\n"},
		{"an attribute of an enumerator", "cpp", "struct S { enum E { C, B\n__attribute__((aligned(2))), A __attribute__((aligned(1))) }; };\n",
			"@x.cc:2:3", "struct S { enum E { B\n__attribute__((aligned(2))), }; };\n"},
		{"names of a namespace", "cpp", "namespace n { namespace m { typedef int t; typedef int u; } }\nusing namespace n::m;\nint f(t x) {\n  crash(x);\n}\n",
			"@x.cc:4:3", "namespace n { namespace m { typedef int t; } }\nusing namespace n::m;\nint f(t x) {\n  crash(x);\n}\n"},
		{"requirements", "cpp", "template<class T> concept C = requires (T t) { { t == t } -> A; };\nint g(C auto);\nint f(int x) {\n  crash(g(x));\n}\n",
			"@x.cc:4:3", "template<class T> concept C = requires (T t) { { t == t } -> A; };\nint g(C auto);\nint f(int x) {\n  crash(g(x));\n}\n"},
		{"requirements of the failure", "cpp", "template<class T> concept C = true;\ntemplate<n::C<int> T, n::size N> struct S {\n  template<class U> requires C<U> int f(C auto x) requires C<T> {\n    crash(x);\n  }\n};\n",
			"@x.cc:4:3", "template<typename T, n::size N> struct S {\n  template<class U> int f(auto x) {\n    crash(x);\n  }\n};\n"},
		{"instantiations", "cpp", "template<class T> struct S { };\nextern template struct S<int>;\ntemplate struct S<long>;\nint f(S<int> x) {\n  crash(x);\n}\n",
			"@x.cc:5:3", "template<class T> struct S { };\ntemplate struct S<long>;\nint f(S<int> x) {\n  crash(x);\n}\n"},
		{"deduced types", "cpp", "auto a() { return 1; }\nauto b() -> int { return 1; }\ndecltype(auto) c() { return 1; }\nint f() {\n  crash(a(), b(), c());\n}\n",
			"@x.cc:5:3", "auto a() { return 1; }\nauto b() -> int { stub; }\ndecltype(auto) c() { return 1; }\nint f() {\n  crash(a(), b(), c());\n}\n"},
		{"qualified names", "cpp", "struct A { struct B; int m; };\nstruct A::B { int b; B(int); };\nint f() {\n  A::B x;\n  crash(x.b);\n}\n",
			"@x.cc:5:3", "struct A { struct B; };\nstruct A::B { int b; };\nint f() {\n  A::B x;\n  crash(x.b);\n}\n"},
		{"namespaces of the same name", "cpp", "namespace a { namespace n { } }\nnamespace a { namespace n { } }\nnamespace b { namespace n { } }\nint f() {\n  crash(a::n::x, b::n::y);\n}\n",
			"@x.cc:5:3", "namespace a { namespace n { } }\nnamespace a { }\nnamespace b { namespace n { } }\nint f() {\n  crash(a::n::x, b::n::y);\n}\n"},
		{"initializers", "cpp", "int a(int);\nstruct S {\n  int x;\n  S(int y) : x(a(y)) { x = y; crash(); }\n};\n", "@x.cc:4:31",
			"struct S {\n  S(int y) { crash(); }\n};\n"},
		{"shadowed variables", "c", "struct S { int v; };\nint c(void) {\n  int v = 1;\n  crash(v);\n}\n", "@x.c:4:3",
			"int c(void) {\n  int v = 1;\n  crash(v);\n}\n"},
		{"attributes", "rust", "mod m {\n#[derive(Debug)]\nstruct A { x: u8 }\nfn f() {\n    crash();\n}\n}\n", "@x.rs:5",
			"mod m {\nfn f() {\n    crash();\n}\n}\n"},
		{"attributes of what stays", "rust", "#[cfg(x)]\nstruct A { x: u8 }\n#[cfg(y)]\nstruct B { x: u8 }\nfn f(a: A) {\n    crash();\n}\n",
			"@x.rs:6", "#[cfg(x)]\nstruct A { }\nfn f(a: A) {\n    crash();\n}\n"},
		{"imports", "rust", "use core::{fmt, cmp};\nuse std::rc::Rc;\nfn f(a: cmp::Ordering) {\n    crash();\n}\n", "@x.rs:4",
			"use core::{fmt, cmp};\nfn f(a: cmp::Ordering) {\n    crash();\n}\n"},
		{"members of traits", "rust", "impl T for A {\nfn g() { h(); }\nfn k() { h(); }\n}\nstruct A;\nfn f(a: A) {\n    a.g();\n}\n", "@x.rs:7",
			"impl T for A {\nfn g() { }\nfn k() { }\n}\nstruct A;\nfn f(a: A) {\n    a.g();\n}\n"},
		{"deduced types in Rust", "rust", "fn a() -> impl Fn() { || 1 }\nfn b() -> u8 { 1 }\nfn f() {\n    crash(a, b);\n}\n", "@x.rs:4",
			"fn a() -> impl Fn() { || 1 }\nfn b() -> u8 { loop {} }\nfn f() {\n    crash(a, b);\n}\n"},
		{"modules", "rust", "mod m { mod n { fn g() { } } }\nuse m::n::g;\nfn f() {\n    crash(g);\n}\n", "@x.rs:4",
			"mod m { mod n { fn g() { } } }\nuse m::n::g;\nfn f() {\n    crash(g);\n}\n"},
		{"variables like fields", "go", "package p\n\ntype T struct{ d int }\n\nfunc f() {\n\td := g()\n\tcrash(d)\n}\n", "@x.go:7:2",
			"package p\n\nfunc f() {\n\td := g()\n\tcrash(d)}"},
		{"a value after line breaks", "go", "package p\n\nfunc f() int {\n\tcrash()\n\treturn 1\n}\n", "@x.go:4:2",
			"package p\n\nfunc f() int {\n\tcrash()\n\t stub}"},
		{"hidden functions", "c", "static int f(void);\nstatic inline int f(void) {\n  crash();\n}\nint g(void) { return f(); }\n", "@x.c:3:3",
			"int f(void);\nint f(void) {\n  crash();\n}\n"},
		{"hidden members", "cpp", "struct S {\n  static int f() {\n    crash();\n  }\n};\n", "@x.cc:3:5",
			"struct S {\n  static int f() {\n    crash();\n  }\n};\n"},
		{"python", "python", "def a(x):\n    return 1\n\ndef b():\n    u = 2\n    v = a(1)\n    crash(u)\n", "@x.py:7",
			"def b():\n    u = 2\n    crash(u)\n"},
	} {
		plan := pass.Plan{Clues: []string{x.clue}, Facts: pass.Facts{Stub: stubs[x.language]}}
		h := &explorer{reader: read(parse.Whole(parsed(t, x.language, x.source))), plan: plan}
		got := string(h.newSlice(progress{base: h.base}, h.clued(h.base), nil, hollow).c.Render())
		if strings.TrimSpace(got) != strings.TrimSpace(x.want) {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, got, x.want)
		}
	}
}

// Reasons bring back members of base classes and of kept classes; if one of two reasons needs much, only the other.
func TestSliceLearns(t *testing.T) {
	const source = `struct T { typedef int value; };
struct U : T { };
struct V { struct value { value(int); }; };
int f() {
  int x = U();
  crash(x);
}
`
	var big strings.Builder
	for i := range 2 * fewTokens {
		fmt.Fprintf(&big, "int g%d() { return %d; }\n", i, i)
	}
	big.WriteString("int h = 0")
	for i := range 2 * fewTokens {
		fmt.Fprintf(&big, " + g%d()", i)
	}
	big.WriteString(";\n")
	for _, x := range []struct {
		name, source string
		reasons      []string
		want, not    string
	}{
		{"a base class", source, []string{"- value U"}, "typedef int value", "struct value"},
		{"much at last", source + big.String(), []string{"- h", "- V"}, "struct V", "int h"},
		{"a use of a type parameter", "template<class Q> struct W { int a; Q b; };\nint f() {\n  W<int> c;\n\n  int x;\n  crash(c);\n}\n",
			[]string{"x.cc:1:16 Q"}, "Q b", "int a"},
		{"much", source + big.String(), []string{"- h"}, "int h", "struct V"},
		{"a base class of the one with the error", "struct A { typedef int t; typedef int u; };\nstruct B : A { t b; };\nstruct C { struct t; };\nint f() {\n  B x;\n  crash(x);\n}\n",
			[]string{"x.cc:2:17 t"}, "typedef int t", "struct t"},
	} {
		h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", x.source))), plan: pass.Plan{Clues: []string{"@x.cc:6:3"}}}
		s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, hollow)
		got := string(s.with(s.learn(s.at, nil, s.c, x.reasons)).c.Render())
		if !strings.Contains(got, x.want) || strings.Contains(got, x.not) {
			t.Errorf("%s: %s", x.name, got)
		}
	}
}

// Code with an error goes, until another error names it. Without a name, an error brings back more of a class or a
// function.
func TestSliceAdapts(t *testing.T) {
	const fields = "struct A { int a; };\nstruct B { A b; int c; };\nint f(B x) {\n\n\n  crash(x.b, x.c);\n}\n"
	const constructor = "struct S { int &r; S(int &x) : r(x) { } int s; };\nint f(int y) {\n\n\n\n  crash(S(y));\n}\n"
	for _, x := range []struct {
		name, source string
		failures     [][]string
		want, not    string
	}{
		{"an error", fields, [][]string{{"x.cc:2:12 q"}}, "struct B { int c; }", "struct A"},
		{"back", fields, [][]string{{"x.cc:2:12 q"}, {"x.cc:6:11 b B"}}, "A b; int c;", "int a"},
		{"a function", constructor, [][]string{{"x.cc:6:9 S"}, {"x.cc:1:20"}, {"x.cc:1:28"}}, ": r(x)", "int s"},
		{"fields", "struct C { union { union { int a; }; }; int m(); };\n\n\n\nint f(C x) {\n  crash(x);\n}\n",
			[][]string{{"x.cc:6:9 C"}}, "struct C { union { union { int a; }; }; }", "int m"},
	} {
		h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", x.source))), plan: pass.Plan{Clues: []string{"@x.cc:6:3"}}}
		s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, hollow)
		for _, reasons := range x.failures {
			s = s.with(s.adapt(newVictim(s.explorer, s.at.base, s.c), s.at, reasons))
		}
		if got := string(s.c.Render()); !strings.Contains(got, x.want) || strings.Contains(got, x.not) {
			t.Errorf("%s: %s", x.name, got)
		}
	}
}

// A large file with a clue takes few tests: a slice that lacks something is repaired, and a slice without the caller
// is widened. Without a clue it takes many more.
func TestSliceIsRepaired(t *testing.T) {
	for _, n := range []int{200, 800} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "int f%d(int x)\n{\nint y = 0;\nreturn y + f%d(x) + f%d(x);\n}\n", i, i/2, max(i-7, 0))
		}
		tree := parsed(t, "c", b.String())
		line := 5*(n/2) + 4
		ask := func(c *parse.Candidate) (interesting bool, reasons []string) {
			file := string(c.Render())
			at := strings.Index(file, fmt.Sprintf("int f%d(", n/2))
			switch {
			case at < 0:
				return false, nil
			case !strings.Contains(file[at:], "return y + "):
				return false, []string{fmt.Sprintf("a.c:%d:1", 3+strings.Count(file[:at], "\n"))}
			case !strings.Contains(file, "int f3("):
				return false, []string{"- f3"}
			}
			return strings.Contains(file, fmt.Sprintf("int f%d(", n/2+7)), nil // the caller
		}
		least := 0
		for _, clues := range [][]string{nil, {fmt.Sprintf("@a.c:%d:1", line)}} {
			asked := 0
			for s := Definitions().Search(tree, pass.Gate{}, pass.Plan{Clues: clues}); !s.Ended(); {
				yes, reasons := ask(s.Candidate)
				if asked++; yes && s.Candidate.Weight() < 400 {
					break
				}
				s = answer(s, yes, reasons)
			}
			if clues == nil {
				least = asked
			} else if asked > 6 || asked*3 > least {
				t.Errorf("%d functions: %d tests until 400 tokens, %d without a clue", n, asked, least)
			}
		}
	}
}

// A slice that the validity checks refuse is widened: an empty class may be the reason.
func TestRefusedSliceIsWidened(t *testing.T) {
	source := "struct S { int a; int b; };\nint f(S s) {\n  return s.a;\n}\n" + strings.Repeat("int g() { return 1 + 2 + 3; }\n", 100)
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{"@x.cc:3:3"}}}
	none := func(progress) *pass.Step { return nil }
	first := h.searchSlices(progress{base: h.base}, none)
	if wider := first.Next(algo.Unresolved); wider.Ended() || !strings.Contains(string(wider.Candidate.Render()), "int b;") {
		t.Errorf("after %q: %+v", first.Candidate.Render(), wider)
	}
}

// A narrow slice that compiles without the failure gets the fields that mention only members, then all, and the code
// that mentions its class.
func TestNarrowSliceIsWidened(t *testing.T) {
	source := "struct T { int t; };\nstruct S {\n  T a; int b; int c = b;\n  S() { crash(); }\n};\nint f() {\n  T t;\n  S s;\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{"@x.cc:4:9"}}}
	p := progress{base: h.base}
	var got []string
	for _, w := range h.newSlice(p, h.clued(h.base), nil, hollow).wider(p) {
		got = append(got, strings.Join(strings.Fields(string(w.c.Render())), " "))
	}
	want := []string{
		"struct S { int b; int c = b; S() { crash(); } };",
		"struct T { }; struct S { T a; int b; int c = b; S() { crash(); } };",
		"struct S { int b; int c = b; S() { crash(); } }; int f() { S s; }",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The code that mentions the class of a field may be needed: it makes a compiler instantiate the class.
func TestUsersOfFields(t *testing.T) {
	source := "template<int N> struct S {\n  int b = crash();\n};\nstruct T {\n  int a;\n  S<1> s;\n};\nint f() {\n  return 1;\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{"@x.cc:2:11"}}}
	p := progress{base: h.base}
	wider := h.newSlice(p, h.clued(h.base), nil, named).wider(p)
	want := "template<int N> struct S { int b = crash(); }; struct T { S<1> s; };"
	if len(wider) != 1 || strings.Join(strings.Fields(string(wider[0].c.Render())), " ") != want {
		t.Errorf("%d slices, want %s", len(wider), want)
	}
}

// If the same error comes again, a full slice changes the code there.
func TestSliceChangesCodeWithTheSameError(t *testing.T) {
	source := "struct P { int p; }; struct Q { };\nint g(P x) { P y = x / 2; return y.p; }\nint f() {\n\n\n  crash(g(P()));\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{"@x.cc:6:3"}}}
	s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, named)
	for _, x := range []struct{ at, names, want string }{
		{"{ }\nint f", "", "P y = x / 2;"}, // the statements come back
		{"/", " Q", "P y = x / 2;"},
		{"/", " Q", "P y; return"},
	} {
		s = s.restore([]string{placeOf(s, x.at) + x.names})
		if got := string(s.c.Render()); !strings.Contains(got, x.want) {
			t.Errorf("after an error at %s:\n%s\nwant %s", x.at, got, x.want)
		}
	}
}

// placeOf returns the place of a text in a slice.
func placeOf(s *slice, text string) string {
	before, _, _ := strings.Cut(string(s.c.Render()), text)
	return fmt.Sprintf("x.cc:%d:%d", 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n"))
}

// After an error about a function without a return statement, functions that are constexpr return a value that is not
// constant.
func TestSliceReturns(t *testing.T) {
	source := "struct T { int t; };\nconstexpr T a() { return T(); }\nconstexpr T &b(T &x) { return x; }\nconstexpr int *c(int *x) { return x; }\nint d() { return 1; }\nstruct U { constexpr friend bool operator+(U, U) { return d(); } };\n" +
		"int f() {\n  crash(a, b, c, d, U());\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{"@x.cc:8:3"}, Facts: pass.Facts{Stub: "stub;"}}}
	s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, named)
	text := func(s *slice) string { return strings.Join(strings.Fields(string(s.c.Render())), " ") }
	got := text(s.restore([]string{placeOf(s, "a()")}))
	narrow := h.newSlice(progress{base: s.c}, h.clued(s.c), nil, hollow)
	if later := text(narrow.loosen([]string{placeOf(narrow, "a()")})); !strings.Contains(later, "return ( T && )") {
		t.Errorf("after an earlier candidate with stubs: %s", later)
	}
	want := "struct T { }; constexpr T a() { return ( T && ) * ( T * ) 0 ; } constexpr T &b(T &x) { return ( T & ) * ( T * ) 0 ; } " +
		"constexpr int *c(int *x) { return 0 ; } int d() { stub; } struct U { constexpr friend bool operator+(U, U) { stub; } }; " +
		"int f() { crash(a, b, c, d, U()); }"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// The place of a failure after parsing may be the end of the file. Then its function is the start of the slice.
func TestFunctionOfClue(t *testing.T) {
	source := "struct A { int f(int x) { return x; } };\nint f(int x) { return x; }\nint g() { return 1; }\nint main() {\n  return g();\n}\n"
	for clue, want := range map[string]string{
		"@x.cc:6:1":            "int g() { } int main() { return g(); }",
		"@x.cc:6:1 main":       "int g() { } int main() { return g(); }",
		"@x.cc:6:1 g int":      "int g() { return 1; }",
		"@x.cc:6:1 other":      "int g() { } int main() { return g(); }",
		"@x.cc:1:16 f A int":   "struct A { int f(int x) { return x; } }; int f(int x) { }",
		"@x.cc:6:1 f unknown ": "struct A { int f(int x) { return x; } }; int f(int x) { return x; }",
	} {
		s := sliceOf(t, source, clue)
		if got := strings.Join(strings.Fields(string(s.c.Render())), " "); got != want {
			t.Errorf("%s: %s", clue, got)
		}
	}
}

// A wider slice keeps the statement of a caller that mentions the function, also after an error there.
func TestCallersKeepTheCall(t *testing.T) {
	source := "int f(int x) {\n\n  crash(x); return 1;\n}\nint g() {\n  int a = 1;\n  return f({1, 2});\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{"@x.cc:3:3"}}}
	h.plan.Value = grammars.BundledRules("cpp").Value
	p := progress{base: h.base}
	for _, s := range h.newSlice(p, h.clued(h.base), nil, named).wider(p) {
		for range 3 {
			s = s.restore([]string{placeOf(s, "{1")})
		}
		if got := string(s.c.Render()); !strings.Contains(got, "return f(") {
			t.Error(got)
		}
	}
}
