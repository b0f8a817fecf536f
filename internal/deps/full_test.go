package deps

import (
	"fmt"
	"strings"
	"testing"

	"whittle/parse"
	"whittle/pass"
)

func fullSliceOf(t *testing.T, source, clue string) *slice {
	s := sliceOf(t, source, clue)
	return s.newSlice(progress{base: s.base}, s.places, nil, named)
}

// A full slice keeps mentioned members and the operators of its classes, without assertions.
func TestFullSlice(t *testing.T) {
	const source = `struct S {
  typedef int t;
  static_assert(sizeof(t));
  int operator*() { return 1; }
  void m(t x) { use(x); }
  int k;
};
static_assert(sizeof(S));
int operator+(S s, int) { return 2; }
int f(S s, int t) {
  crash();
}
void g(int k) { k = m(); }
`
	got := string(fullSliceOf(t, source, "@x.cc:11:3").c.Render())
	for _, want := range []string{"typedef int t", "operator*", "operator+"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, not := range []string{"static_assert", "use", "return 1", "k"} {
		if strings.Contains(got, not) {
			t.Errorf("%s in %s", not, got)
		}
	}
}

// A failure of a full slice restores the definitions that it names, else the code at its place.
func TestFullSliceRestores(t *testing.T) {
	for _, x := range []struct{ name, source, clue, gone, reason, want string }{
		{"statements", "constexpr int g() { return 7; }\nint f() {\n  crash(g());\n}\n", "@x.cc:3:3", "", "x.cc:1:19", "return 7"},
		{"fields", "class L {\n  int a;\n  int b;\n};\nint f(L l) {\n  crash(l);\n}\nnamespace n { class K { }; }\n", "@x.cc:6:3", "", "x.cc:1:7 L n K",
			"int a;\n  int b;"},
		{"a type without a name in the message", "template<class T> class L { };\nstruct S {\n  int a(L<int> l);\n};\nint f(S s) {\n  crash(s.a(1));\n}\n",
			"@x.cc:6:3", "L", "x.cc:2:10", "class L"},
		{"initializers", "class L {\n  L(L &b) : a(b) { use(b); }\n  L &a;\n};\nint f(L l) {\n  crash(l);\n}\n",
			"@x.cc:6:3", "", "x.cc:2:3 L", "L(L &b) : a(b) { }"},
	} {
		s := fullSliceOf(t, x.source, x.clue)
		if x.gone != "" {
			at := s.at
			at.learned.needs = at.learned.needs.with(unwanted, s.define[s.ids[x.gone]])
			s = s.with(at)
		}
		if got := string(s.c.Render()); strings.Contains(got, x.want) {
			t.Fatalf("%s: %s", x.name, got)
		}
		if got := string(s.restore([]string{x.reason}).c.Render()); !strings.Contains(got, x.want) {
			t.Errorf("%s: %s", x.name, got)
		}
	}
}

// Code with an error goes if it lacks no definition of the file.
func TestFullSliceDropsErrors(t *testing.T) {
	s := fullSliceOf(t, "typedef Q<1> A;\nint f(int x) {\n  A a;\n  crash(a);\n}\n", "@x.cc:4:3")
	if got := string(s.restore([]string{"x.cc:1:9 Q"}).c.Render()); strings.Contains(got, "Q") || !strings.Contains(got, "crash") {
		t.Error(got)
	}
}

// If an earlier change leaves a name undeclared and no code is missing, the statement with the name goes, too.
func TestFullSliceChangesAgain(t *testing.T) {
	s := fullSliceOf(t, "int f(int x) {\n  crash(x);\n  auto u = g();\n  use(u);\n}\n", "@x.cc:2:3")
	s = s.wider(progress{base: s.base})[0].restore([]string{"x.cc:3:12"}).restore([]string{"x.cc:3:7 u"})
	if got := string(s.c.Render()); strings.Contains(got, "u") || !strings.Contains(got, "crash") {
		t.Error(got)
	}
}

// The widest slice has the constructors and all specializations of its classes, with constant initializers.
func TestCompleteSlice(t *testing.T) {
	s := fullSliceOf(t, `template<class T> struct A { };
template<class T> struct A<B<T>> { typedef T t; constexpr A() : u(1) { use(); } int u; };
template<class T> struct B { };
struct C { C(int); int c; };
int f(A<C> x) {
  crash(x);
}
`, "@x.cc:6:3")
	got := ""
	for wider := []*slice{s}; len(wider) > 0; wider = s.wider(progress{base: s.base}) {
		s = wider[0]
		got = string(s.c.Render())
	}
	for _, want := range []string{"struct A<B<T>>", "C(int);", "int c;", "struct B", "A() : u(1) { }"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

// A failure that needs members without naming them takes few tests with full slices. The narrow slice after them fails.
func TestFullSlicesTakeFewTests(t *testing.T) {
	for _, n := range []int{100, 400} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "struct C%d {\n  typedef int t%d;\n  int u%d;\n  void m%d() { use(C%d()); }\n};\n", i, i, i, i, (i+1)%n)
		}
		b.WriteString("typedef C2::t2 A;\nint f(C1 x, A y) {\n  C3 z;\n  crash(x, y);\n}\n")
		tree := parsed(t, "cpp", b.String())
		asked := 0
		for s := Definitions().Search(tree, pass.Gate{}, pass.Plan{Clues: []string{fmt.Sprintf("@x.cc:%d:3", 5*n+4)}}); !s.Ended(); {
			file := string(s.Candidate.Render())
			crashes := strings.Contains(file, "typedef int t2;") && strings.Contains(file, "crash(x, y)")
			if asked++; crashes && s.Candidate.Weight() < 100 {
				break
			}
			s = answer(s, crashes, nil)
		}
		if asked > 3 {
			t.Errorf("%d classes: %d tests", n, asked)
		}
	}
}

// A wider slice has the callers of a member, in its class and where the class is mentioned. A constructor in it keeps
// its initializers in the next one.
func TestWiderSlice(t *testing.T) {
	source := "struct S {\n  S(int n) : r(fill(n)) { }\n  int fill(int n) {\n    crash();\n    return n;\n  }\n  int r;\n};\n" +
		strings.Repeat("int fill(long n) { return 2; }\nint g() { return fill(1); }\n", mostOfName) + "int main() {\n  S s(1);\n}\n"
	s := fullSliceOf(t, source, "@x.cc:4:5")
	for _, want := range []string{"r(fill(n))", "S s(1)"} {
		if strings.Contains(string(s.c.Render()), want) {
			t.Fatalf("%q in %s", want, s.c.Render())
		}
		if s = s.wider(progress{base: s.base})[0]; !strings.Contains(string(s.c.Render()), want) {
			t.Fatalf("no %q in %s", want, s.c.Render())
		}
	}
	if got := string(s.c.Render()); !strings.Contains(got, "r(fill(n))") || strings.Contains(got, "int g()") {
		t.Error(got)
	}
}

// An implementation of a trait goes if it lacks another one that the file does not have.
func TestFullSliceWithoutImplementation(t *testing.T) {
	const source = "struct E;\nimpl Error for E {\n    fn s(&self) { }\n}\nimpl From<G> for E { }\nstruct G;\nfn f(e: E) {\n    crash(e);\n}\n" +
		"macro_rules! implement { ($t:ident) => { impl Hash for $t { } } }\nimplement!(E);\n"
	for reason, want := range map[string]string{"x.rs:2:16 E Display": "", "x.rs:2:16 E From": "From<G>", "x.rs:2:16 E Hash": "implement!(E)"} {
		h := &explorer{reader: read(parse.Whole(parsed(t, "rust", source))), plan: pass.Plan{Clues: []string{"@x.rs:8:5"}}}
		s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, named)
		at := s.at
		at.learned.needs = at.learned.needs.with(always, h.define[h.ids["s"]])
		s = s.with(at)
		before := string(s.c.Render())
		got := string(s.restore([]string{reason}).c.Render())
		if !strings.Contains(before, "Error") || strings.Contains(got, "Error") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %s becomes %s", reason, before, got)
		}
	}
}

// A bound that is not satisfied brings back the implementation for its type.
func TestFullSliceOfBounds(t *testing.T) {
	source := "trait T { }\nimpl T for () { }\nimpl T for (u8, W) { }\nimpl<'a> T for &'a V<u8> { }\nimpl T for W { }\nimpl<F> T for F { }\nstruct W;\nstruct V;\n" +
		"fn root(t: T) {\n    crash();\n}\n" + strings.Repeat("impl T for W { }\n", mostOfName)
	for reason, want := range map[string]string{"x.rs:2:9 T": "for ()", "x.rs:1:9 T F2": "for F {", "x.rs:2:9 T W u8": "for (u8, W)", "x.rs:2:9 T V u8": "for &'a V<u8>", "x.rs:2:9": "crash"} {
		h := &explorer{reader: read(parse.Whole(parsed(t, "rust", source))), plan: pass.Plan{Clues: []string{"@x.rs:10:5"}}}
		s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, named)
		if got := string(s.restore([]string{reason}).c.Render()); strings.Count(got, " T for ") > 2 || !strings.Contains(got, want) {
			t.Errorf("%s: %s becomes %s", reason, s.c.Render(), got)
		}
	}
}

// A type of Rust has a field for each parameter. A function with a deduced type keeps its bounds after an error.
func TestNarrowSliceOfTypeParameters(t *testing.T) {
	const source = "struct P<'a, T: Q<u8>, const N: u8, F> { x: u8, b: &'a [u8; N], f: F, t: Box<T>, u: T }\nenum Q<G> { A, B(u8, G), C { b: u8, g: G } }\n" +
		"fn i<G>() -> impl T\nwhere\n    G: T,\n{\n    1\n}\nimpl Q<u8> {\n    fn root(p: P) {\n        crash(i);\n    }\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "rust", source))), plan: pass.Plan{Clues: []string{"@x.rs:11:9"}}}
	s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, hollow)
	s.at.learned.needs = needs{always: h.define[h.ids["i"]]}
	got := string(s.loosen([]string{"x.rs:3:14 V", "x.rs:9:6 V"}).c.Render())
	for _, want := range []string{"{ b: &'a [u8; N], f: F, u: T }", "{ B(u8, G)", "G: T", "impl Q<u8> {"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The separator of a variant goes with it, also if it has attributes.
func TestFullSliceOfVariants(t *testing.T) {
	const source = "enum I {\n    A(u8),\n    #[cfg(x)]\n    B(u8),\n    C(u8),\n    #[cfg(x)]\n    D,\n    E,\n}\nfn f(i: I) {\n    crash(I::E);\n}\n"
	h := &explorer{reader: read(parse.Whole(parsed(t, "rust", source))), plan: pass.Plan{Clues: []string{"@x.rs:11:5"}}}
	got := string(h.newSlice(progress{base: h.base}, h.clued(h.base), nil, named).c.Render())
	if want := "enum I {\n    E,\n}\nfn f(i: I) {\n    crash(I::E);\n}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
