package deps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

func sliceOf(t *testing.T, source, clue string) *slice {
	h := &explorer{reader: read(parse.Whole(parsed(t, "cpp", source))), plan: pass.Plan{Clues: []string{clue}}}
	h.plan.Value = grammars.BundledRules("cpp").Value
	return h.newSlice(progress{base: h.base}, h.clued(h.base), nil, hollow)
}

// An error in a function of the failure changes a small part of it, and the first one in a definition its type.
func TestSliceLoosens(t *testing.T) {
	for _, x := range []struct {
		name, source string
		failures     []string
		want, not    string
	}{
		{"a value", "int f(int y) {\n  int x = g(y);\n  crash(x);\n}\n", []string{"x.cc:2:11 g"}, "int x;", "g(y)"},
		{"a statement", "int f(int y) {\n  auto x = g(y);\n  crash(x);\n}\n", []string{"x.cc:2:12 g"}, "crash(x)", "x ="},
		{"an argument", "int f(int y) {\n\n  crash(y, g(y));\n}\n", []string{"x.cc:3:12 g"}, "crash(y, {})", "g(y)"},
		{"an argument twice", "int f(int y) {\n\n  crash(y, g(y));\n}\n", []string{"x.cc:3:12 g", "x.cc:3:12"}, "crash(y)", "g(y)"},
		{"the code around", "int f(int y) {\n\n  return g(1) + crash(y);\n}\n", []string{"x.cc:3:10 g"}, "return crash(y)", "g(1)"},
		{"a type", "typedef Q A;\nint f(A y) {\n  crash(y);\n}\n", []string{"x.cc:1:9 Q"}, "typedef int A;", "Q"},
		{"a second error", "typedef Q A;\nint f(A y) {\n  crash(y);\n}\n", []string{"x.cc:1:9 Q", "x.cc:1:9"}, "crash(y)", "typedef"},
		{"a base class", "struct A : Q<int> { };\nint f(A y) {\n  crash(y);\n}\n", []string{"x.cc:1:12 Q"}, "struct A { }", "Q"},
	} {
		line := 1 + strings.Count(x.source[:strings.Index(x.source, "crash")], "\n")
		column := strings.Index(strings.Split(x.source, "\n")[line-1], "crash") + 1
		s := sliceOf(t, x.source, fmt.Sprintf("@x.cc:%d:%d", line, column))
		for _, reason := range x.failures {
			s = s.loosen([]string{reason})
		}
		if got := string(s.c.Render()); !strings.Contains(got, x.want) || strings.Contains(got, x.not) {
			t.Errorf("%s: %s", x.name, got)
		}
	}
}

// A definition has the weight of the code that only it leads to.
func TestExclusive(t *testing.T) {
	s := sliceOf(t, "struct L { int a; };\nstruct M { L l; };\nstruct N { M m; L l; };\nstruct O { N n; };\nint f(O o) {\n  crash(o);\n}\n", "@x.cc:6:3")
	weights := s.exclusive(s.base)
	got := map[string]int{}
	for name, id := range s.ids {
		got[name] = weights[s.define[id][0]]
	}
	if want := map[string]int{"L": 8, "M": 8, "N": 8 + 8 + 11, "O": 8 + 27}; got["L"] != 8 || got["M"] != 8 || got["N"] != 27 || got["O"] != 35 {
		t.Errorf("%v, want %v", got, want)
	}
}

// After a success, code that only one definition needs goes with it: here the library of a parameter's type.
func TestLighterSlices(t *testing.T) {
	for _, n := range []int{50, 400} {
		var b strings.Builder
		b.WriteString("struct S0 { };\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "struct S%d : S%d, S%d { };\n", i, i-1, i/2)
		}
		fmt.Fprintf(&b, "typedef S%d T;\nint f(T y) {\n  crash(y);\n}\n", n)
		s := sliceOf(t, b.String(), fmt.Sprintf("@x.cc:%d:3", n+4))
		more := s.lighter(progress{base: s.c})
		if len(more) == 0 || len(more) > mostLighter {
			t.Fatalf("%d slices", len(more))
		}
		lightest := slices.MinFunc(more, func(a, b *slice) int { return a.c.Weight() - b.c.Weight() })
		got := string(lightest.c.Render())
		if strings.Contains(got, "struct") || !strings.Contains(got, "crash(y)") {
			t.Errorf("%d definitions: %s", n, got)
		}
		repaired := string(lightest.loosen([]string{"x.cc:1:9 T"}).c.Render())
		if got := strings.Join(strings.Fields(repaired), " "); got != "int f(int y) { crash(y); }" {
			t.Errorf("after an error: %s", got)
		}
	}
}

// The search for hidden statements visits overloads that mention each other once. The items are in order.
func TestHiddenBehind(t *testing.T) {
	source := "int h() { return 1; }\nint k() { return 2; }\n" + strings.Repeat("int f(decltype(f(1)), decltype(k()), decltype(h()));\n", 20) +
		"int g() {\n  crash(f(1));\n}\n"
	s := sliceOf(t, source, "@x.cc:24:3")
	v := newVictim(s.explorer, s.base, s.c)
	if items := s.hiddenBehind(s.at, v.defining([]string{"f"})); !slices.Equal(items, []int{0, 1}) {
		t.Errorf("statements %v", items)
	}
}

// A narrow slice repairs the cause of errors, and takes back changes that cause others.
func TestNarrowRepairs(t *testing.T) {
	trait := "struct yes { static const bool value = true; };\ntemplate <class T> struct helper { typedef yes type; };\n" +
		"template <class T> struct trait : helper<T>::type { };\n" +
		"template <class T> bool has = trait<T>::value;\nint f(int y) {\n  bool b = has<int>;\n  crash(b);\n}\n"
	for _, x := range []struct {
		name, source string
		failures     [][]string
		want, not    string
	}{
		{"an error of a class causes one of its use", trait,
			[][]string{{"x.cc:2:35 nothing helper", "x.cc:3:42 value trait"}}, "> bool has", "trait : helper"},
		{"the class lacks a base", trait,
			[][]string{{"x.cc:2:35 nothing helper"}, {"x.cc:3:42 value trait"}}, "trait : helper", "> int has"},
		{"operators", "struct I { int operator*(); int operator++(); int size(); };\nint f(I i) {\n  int k = *i;\n  crash(k);\n}\n",
			[][]string{{"x.cc:3:11 * I"}}, "operator++", "size"},
		{"the operator between the operands", "struct I { bool operator<=>(I) = default; int size(); };\nint f(I i) {\n  crash(i < i);\n}\n",
			[][]string{{"x.cc:3:11 I const I"}}, "operator<=>", "size"},
		{"the conversion of an operand", "struct Z { Z(int x) { } int size(); };\nstruct I { friend bool operator<(I, Z) { return 1; } };\nint f(I i, Z z) {\n  crash(i < 0);\n}\n",
			[][]string{{"x.cc:4:11 I int"}, {"x.cc:4:11 I int"}}, "Z(int x)", "size"},
		{"a member, not the constructor of an argument", "struct B { B(); };\ntemplate <class T> struct A { typedef int type; };\n" +
			"template <class T> struct H : T::type { };\nint f() {\n  H<A<B>> k;\n  crash(k);\n}\n", [][]string{{"x.cc:3:31 type A B"}}, "typedef int type; }", "B();"},
		{"a removed definition that another mentions", "template <class T> int g = h;\ntemplate <class T> int k = g<T>;\nint f(int y) {\n  crash(k<int>);\n}\n",
			[][]string{{"x.cc:1:28 h"}, {"x.cc:1:28 g"}}, "= g<T>", "h<"},
		{"the whole function may cause the failure", "struct Q { " + strings.Repeat("int a; ", 20) + "};\ntypedef Q A;\nint crash() {\n  return 1;\n}\n",
			[][]string{{"x.cc:2:9 Q"}}, "int crash", "typedef int"},
		{"the root changes last", "typedef Q A;\nint f(A y) {\n\n  crash(y, g(y));\n}\n",
			[][]string{{"x.cc:1:9 Q", "x.cc:4:12 g"}}, "crash(y, g(y))", "Q"},
	} {
		line := 1 + strings.Count(x.source[:strings.Index(x.source, "crash")], "\n")
		column := strings.Index(strings.Split(x.source, "\n")[line-1], "crash") + 1
		s := sliceOf(t, x.source, fmt.Sprintf("@x.cc:%d:%d", line, column))
		for _, reasons := range x.failures {
			s = s.loosen(reasons)
		}
		if got := string(s.c.Render()); !strings.Contains(got, x.want) || strings.Contains(got, x.not) {
			t.Errorf("%s: %s", x.name, got)
		}
	}
}

// A class stays without its members, also after a declaration of it.
func TestEmptyClassStays(t *testing.T) {
	s := sliceOf(t, "struct A;\nstruct A { int x; };\nnamespace n { }\nnamespace n { }\nint f(A y) {\n  crash(y);\n}\n", "@x.cc:6:3")
	if got := strings.Join(strings.Fields(string(s.c.Render())), " "); got != "struct A; struct A { }; int f(A y) { crash(y); }" {
		t.Error(got)
	}
}

// Errors of interesting candidates are no reasons, but the places of their failure do not hide others.
func TestShownErrors(t *testing.T) {
	s := sliceOf(t, "int f(int y) {\n  crash(y, z);\n}\n", "@x.cc:2:3")
	v := newVictim(s.explorer, s.base, s.c)
	e := s.at.learned.withShown(v, []string{"@x.cc:2:9 y", "x.cc:2:12 z"})
	if got := e.others(v, []string{"x.cc:2:9 y", "x.cc:2:12 z", "x.cc:2:12 a"}); !slices.Equal(got, []string{"x.cc:2:9 y", "x.cc:2:12 a"}) {
		t.Errorf("reasons %q", got)
	}
	if got := s.at.learned.others(v, []string{"x.cc:2:12 z"}); len(got) != 1 {
		t.Error("the earlier experience changed")
	}
}

// A field of TypeScript whose constructor is gone becomes definite, in all slices.
func TestDefiniteFields(t *testing.T) {
	source := "class A {\n  #a: B;\n  constructor() { this.#a = g() }\n  f() {\n    return crash(this.#a)\n  }\n}\ninterface B { b: B }\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "typescript", source))), plan: pass.Plan{Clues: []string{"@x.ts:5:12"}}}
	for _, e := range []extent{named, hollow} {
		s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, e)
		reasons := []string{placeOf(s, "#a: B") + " a"}
		repaired := s.loosen
		if s.full {
			repaired = s.restore
		}
		if got := string(repaired(reasons).c.Render()); !strings.Contains(got, "#a ! : B") || strings.Contains(got, "this.#a =") {
			t.Errorf("extent %v: %s", e, got)
		}
	}
}
