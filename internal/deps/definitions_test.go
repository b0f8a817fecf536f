package deps

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/testkit/algotest"
	"whittle/parse"
	"whittle/pass"
)

func parsed(t testing.TB, language, source string) *parse.Tree {
	t.Helper()
	l, ok := grammars.Find(language)
	if !ok {
		t.Fatal(language)
	}
	tree, err := l.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestKeep(t *testing.T) {
	for _, x := range []struct{ name, language, source, wanted, kept string }{
		{"functions", "c", "struct s { int a; };\ntypedef struct s t;\nint f(t *x) { return x->a; }\nint g(void) { return 1; }\n" +
			"int h(void) { t y; return f(&y); }\nint i(void) { return g(); }\n", "int h",
			"struct s { int a; };\ntypedef struct s t;\nint f(t *x) { return x->a; }\nint h(void) { t y; return f(&y); }\n"},
		{"members", "cpp", "struct X { int a; int b; void f() { a = 1; } bool operator<(X) const { return b; } };\n" +
			"struct Y { int c; };\nvoid g(X x) { x.f(); }\n", "void g",
			"struct X { int a; int b; void f() { a = 1; } bool operator<(X) const { return b; } };\nvoid g(X x) { x.f(); }\n"},
		{"templates", "cpp", "namespace n { template <class T> struct A { T t; T u; }; template <class T> struct B { }; }\n" +
			"using n::B;\nint f() { return n::A<int>().t; }\n", "int f",
			"namespace n { template <class T> struct A { T t; }; }\nint f() { return n::A<int>().t; }\n"},
		{"inline namespace", "cpp", "namespace n { inline namespace v { int f() { return 1; } int g() { return 2; } } }\nint h() { return n::f(); }\n", "int h",
			"namespace n { inline namespace v { int f() { return 1; } } }\nint h() { return n::f(); }\n"},
		{"definition elsewhere", "cpp", "struct X { void f(); void g(); };\nvoid X::f() { }\nvoid X::g() { }\nint h() { X().f(); }\n",
			"int h", "struct X { void f(); };\nvoid X::f() { }\nint h() { X().f(); }\n"},
		{"bases", "cpp", "template <class T> struct A { };\nstruct B : A<int> { };\nstruct C : A<char> { };\nstruct D : C { };\nC f() { return C(); }\n", "C f",
			"template <class T> struct A { };\nstruct C : A<char> { };\nC f() { return C(); }\n"},
		{"nameless", "cpp", "struct A { enum { v = 1 }; int w; bool operator!() { return w; } };\nenum { x = 2 };\nenum { y = 3 };\nint f() { return x; }\n", "int f",
			"enum { x = 2 };\nint f() { return x; }\n"},
		{"imports", "go", "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() { fmt.Println(v) }\n\nvar v, w = 1, 2\n\nfunc g() { os.Exit(1) }\n",
			"func f", "package p\n\nimport (\n\t\"fmt\"\n)\n\nfunc f() { fmt.Println(v) }\n\nvar v, w = 1, 2\n"},
		{"methods", "rust", "struct A { x: u8 }\nstruct B;\nimpl A { fn f(&self) -> u8 { self.x } fn g(&self) {} }\nimpl B { fn h(&self) {} }\n" +
			"fn main() { A { x: 1 }.f(); }\n", "fn main",
			"struct A { x: u8 }\nimpl A { fn f(&self) -> u8 { self.x } }\nfn main() { A { x: 1 }.f(); }\n"},
		{"classes", "java", "class A { int a; int f() { return a; } int g() { return 2; } }\nclass B { }\nclass C { int m() { return new A().f(); } }\n",
			"int m", "class A { int a; int f() { return a; } }\nclass C { int m() { return new A().f(); } }\n"},
		{"decorated", "python", "import os\ndef d(f): return f\n@d\ndef f(): return 1\nclass A:\n    def m(self): return f()\n    def n(self): return 2\n" +
			"def g(): A().m()\n", "def g",
			"def d(f): return f\n@d\ndef f(): return 1\nclass A:\n    def m(self): return f()\ndef g(): A().m()\n"},
		{"overloads", "cpp", "struct A { A(int = 0); }; struct B { };\nbool operator==(A, A);\nbool operator==(B, B);\nint f(A *);\nint f(B *);\n" +
			"template <class T> int f(T);\nint g() { A a; return f(a == a); }\n", "int g",
			"struct A { A(int = 0); };\nbool operator==(A, A);\nint f(A *);\ntemplate <class T> int f(T);\nint g() { A a; return f(a == a); }\n"},
		{"the only overload", "c", "struct s;\nstruct t;\nint f(struct s *);\nint f(struct s *x) { return 1; }\nint g(struct t *);\nint h(void) { return f(0); }\n", "int h",
			"struct s;\nint f(struct s *);\nint f(struct s *x) { return 1; }\nint h(void) { return f(0); }\n"},
		{"constructors", "cpp", "struct A { }; struct B { };\nstruct C { C(A, B * = 0); C(B); int x; };\nint f() { return C({}).x; }\n", "int f",
			"struct A { }; struct B { };\nstruct C { C(A, B * = 0); C(B); int x; };\nint f() { return C({}).x; }\n"},
		{"specialisations", "cpp", "struct A { }; struct B { };\ntemplate <class T> struct H { };\ntemplate <> struct H<A> { };\ntemplate <> struct H<B> { };\n" +
			"H<B> f() { return {}; }\n", "H<B> f",
			"struct B { };\ntemplate <class T> struct H { };\ntemplate <> struct H<B> { };\nH<B> f() { return {}; }\n"},
		{"enumerators", "cpp", "enum e { a, b, c };\nenum class k { a, d };\ntypedef enum { x, y } z;\nint f() { return b; }\n", "int f",
			"enum e { b};\nint f() { return b; }\n"},
		{"opened again", "cpp", "namespace n { inline namespace v { struct A; } }\nnamespace n { namespace v { struct A { }; int b(); } }\nint c = n::v::b();\nn::A f();\n", "n::A f",
			"namespace n { inline namespace v { struct A; } }\nnamespace n { namespace v { struct A { }; } }\nn::A f();\n"},
		{"attributes", "cpp", "struct A { int x; [[nodiscard]] int operator*() const { return x; } };\nextern \"C\" int g(int);\nextern \"C\" int h(int);\nint f(A *a) { return g(**a); }\n", "int f",
			"struct A { int x; [[nodiscard]] int operator*() const { return x; } };\nextern \"C\" int g(int);\nint f(A *a) { return g(**a); }\n"},
		{"receivers", "go", "package p\n\ntype a []int\n\nfunc (x a) Len() int { return 1 }\n\ntype b []int\n\nfunc (x b) Len() int { return 2 }\n\n" +
			"func (x b) Do() {}\n\ntype p int\n\nfunc f(x b) { g(x) }\n\nfunc g(x interface{}) {}\n", "func f",
			"package p\n\ntype b []int\n\nfunc (x b) Len() int { return 2 }\n\nfunc f(x b) { g(x) }\n\nfunc g(x interface{}) {}\n"},
		{"of a trait", "rust", "struct A;\nstruct B;\nimpl Clone for A { fn clone(&self) -> A { A } }\nimpl Clone for B { fn clone(&self) -> B { B } }\nfn main() { let a = [A; 1]; }\n", "fn main",
			"struct A;\nimpl Clone for A { fn clone(&self) -> A { A } }\nfn main() { let a = [A; 1]; }\n"},
		{"a macro of a trait", "rust", "struct A;\nmacro_rules! m { () => { fn clone(&self) -> A { A } } }\nmacro_rules! n { () => { } }\n" +
			"impl Clone for A { m!(); }\nfn main() { let a = [A; 1]; }\n", "fn main",
			"struct A;\nmacro_rules! m { () => { fn clone(&self) -> A { A } } }\nimpl Clone for A { m!(); }\nfn main() { let a = [A; 1]; }\n"},
		{"lists of imports", "rust", "use a::{b::{C, D}, e::F};\nfn f() -> D { 1 }\n", "fn f", "use a::{b::{C, D}};\nfn f() -> D { 1 }\n"},
		{"rewritten operators", "cpp", "struct A { };\nbool operator==(A, A);\nbool operator<=(A, A);\nint f(A a) { return a != a; }\n", "int f",
			"struct A { };\nbool operator==(A, A);\nint f(A a) { return a != a; }\n"},
		{"keywords", "typescript", "import { a } from './b';\nfunction from() {}\nfunction never() {}\nfunction f(): never { return a(); }\n", "function f(",
			"import { a } from './b';\nfunction f(): never { return a(); }\n"},
		{"initializers", "rust", "fn g() {}\nstruct S { a: fn() }\nstatic T: S = S { a: g };\nfn f() { T; }\n", "fn f",
			"fn g() {}\nstruct S { a: fn() }\nstatic T: S = S { a: g };\nfn f() { T; }\n"},
	} {
		tree := parsed(t, x.language, x.source)
		base := parse.Whole(tree)
		g := read(base)
		wanted := slices.IndexFunc(g.units, func(u unit) bool {
			return strings.HasPrefix(x.source[tree.Tokens[tree.Nodes[u.node].First].Start:], x.wanted)
		})
		if wanted < 0 {
			t.Fatalf("%s: %s is no definition", x.name, x.wanted)
		}
		if got := string(g.keep(base, []int32{int32(wanted)}, nil).Render()); got != x.kept {
			t.Errorf("%s: for %s is kept\n%s\nwant\n%s", x.name, x.wanted, got, x.kept)
		}
		all := make([]int32, len(g.units))
		for i := range all {
			all[i] = int32(i)
		}
		if got := string(g.keep(base, all, nil).Render()); got != x.source {
			t.Errorf("%s: if all are wanted there stays\n%s", x.name, got)
		}
	}
}

func TestDefinitions(t *testing.T) {
	var b strings.Builder
	const n = 500
	for i := range n {
		fmt.Fprintf(&b, "int f%d(int x) { return x", i)
		for _, j := range []int{i / 2, i - 1} { // mentioned by a later one
			if j >= 0 && j < i {
				fmt.Fprintf(&b, " + f%d(%d)", j, i)
			}
		}
		b.WriteString("; }\n")
	}
	for i := range 20 {
		fmt.Fprintf(&b, "int g%d(void) { return f%d(1); }\n", i, n-1-i)
	}
	source := b.String() + "int h(void) { return f7(8); }\n"
	linked := func(c *parse.Candidate) bool {
		file := string(c.Render())
		for i := range n {
			if strings.Contains(file, fmt.Sprintf("f%d(%d", i, i)) && !strings.Contains(file, fmt.Sprintf("int f%d(", i)) {
				return false
			}
		}
		return strings.Contains(file, "f7(8)")
	}
	got, asked := algotest.Follow(Definitions().Search(parsed(t, "c", source), pass.Gate{}, pass.Plan{}), linked)
	if lines := strings.Count(string(got.Render()), "\n"); lines > 9 || asked > 40 {
		t.Errorf("%d lines after %d questions:\n%.1000s", lines, asked, got.Render())
	}
}

// A required function also calls parts of a library. They go with the calls, as does a local variable.
func TestInside(t *testing.T) {
	var b strings.Builder
	const n = 500
	b.WriteString("int l0(int x) { return x; }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "int l%d(int x) { return l%d(x) + l%d(x); }\n", i, i-1, (i+n/2)%n)
	}
	b.WriteString(`int deep(void) { int a = l400(1); a = a + 1; return 77; }
void beside(void) { l1(2); }
int high(void) { l3(1); int b = l9(2); if (b) { b++; } return deep(); }
int top(void) { int c; c = l5(0); beside(); for (;;) { l7(l8(1)); return high(); } }
`)
	tree := parsed(t, "c", b.String())
	linked := func(c *parse.Candidate) bool {
		file := string(c.Render())
		for _, x := range [][2]string{{" a;", "int a"}, {"b++", "int b"}, {"c =", "int c"}, {"beside()", "beside(void)"}} {
			if strings.Contains(file, x[0]) && !strings.Contains(file, x[1]) {
				return false
			}
		}
		for i := range n {
			call := fmt.Sprintf("l%d(", i)
			if strings.Contains(file, call) && !strings.Contains(file, "int "+call) {
				return false
			}
		}
		return strings.Contains(file, "return 77") && strings.Contains(file, "return deep()") && strings.Contains(file, "return high()")
	}
	got, asked := algotest.Follow(Definitions().Search(tree, pass.Gate{}, pass.Plan{}), linked)
	if weight := got.Weight(); weight > 70 || asked > 24 {
		t.Errorf("%d tokens after %d questions:\n%.1000s", weight, asked, got.Render())
	}
}

// Each function mentions others. So the first one can go only when bodies are empty.
func TestBodies(t *testing.T) {
	for _, n := range []int{100, 300, 900} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "int f%d(int x)\n{ f%d(x); f%d(x); return %d; }\n", i, (i+1)%n, (i*7+1)%n, i)
		}
		required := []string{"return 7;", fmt.Sprintf("return %d;", n/2), fmt.Sprintf("return %d;", n-3)}
		works := func(c *parse.Candidate) bool {
			file := string(c.Render())
			for i := range n {
				if call := fmt.Sprintf("f%d(x)", i); strings.Contains(file, call) && !strings.Contains(file, fmt.Sprintf("int f%d(int x)", i)) {
					return false
				}
			}
			return !slices.ContainsFunc(required, func(text string) bool { return !strings.Contains(file, text) })
		}
		plan := pass.Plan{Facts: pass.Facts{Stub: "for (;;);"}}
		got, asked := algotest.Follow(Definitions().Search(parsed(t, "c", b.String()), pass.Gate{}, plan), works)
		t.Logf("%d functions: %d questions", n, asked)
		if lines := strings.Count(string(got.Render()), "\n"); lines > 20 || asked > 66 {
			t.Errorf("%d functions: %d lines are left after %d questions", n, lines, asked)
		}
	}
}

// Functions whose type follows from the body are not emptied.
func TestBodiesOfDeducedTypes(t *testing.T) {
	source := strings.Repeat("fn f() -> impl T { g(1, 2, 3); g(f, h) }\nfn h() -> u8 { g(1, 2, 3); g(f, h) }\n", fewest)
	plan, emptied := pass.Plan{Facts: pass.Facts{Stub: "loop {}"}}, 0
	algotest.Follow(Definitions().Search(parsed(t, "rust", source), pass.Gate{}, plan), func(c *parse.Candidate) bool {
		file := strings.Join(strings.Fields(string(c.Render())), " ")
		emptied += strings.Count(file, "u8 { loop")
		if strings.Contains(file, "impl T { loop") {
			t.Errorf("%s", file)
		}
		return false
	})
	if emptied == 0 {
		t.Error("no function was emptied")
	}
}

func TestDefinitionsGetBetter(t *testing.T) {
	for _, l := range grammars.All() {
		source := strings.Repeat("int a; class A { int b; } def f(x): return a\nfunc g() { }\n<a b='c'/> (define x 1)\n", 6)
		tree, err := l.Parse([]byte(source))
		if err != nil {
			continue
		}
		weight, asked := parse.Whole(tree).Weight(), 0
		algotest.Follow(Definitions().Search(tree, pass.Gate{}, pass.Plan{}), func(c *parse.Candidate) bool {
			if c.Weight() >= weight {
				t.Errorf("%s: %q is no better than what it has come to", l.Name, c.Render())
			}
			if asked++; asked%3 != 1 {
				return false
			}
			weight = c.Weight()
			return true
		})
	}
}

func TestReadsLittle(t *testing.T) {
	if g := read(parse.Whole(parsed(t, "lines", strings.Repeat("int a;\n", 1000)))); g != nil {
		t.Errorf("%d definitions in lines", len(g.units))
	}
	for _, nest := range [][2]string{{"{", "}"}, {"namespace a {", "}"}, {"struct a { int b; ", "};"}, {"f(", ")"}} {
		const depth = 10_000
		tree, err := grammars.ForFile("x.cc").Parse([]byte(strings.Repeat(nest[0], depth) + strings.Repeat(nest[1], depth)))
		if err == nil {
			read(parse.Whole(tree))
		}
	}
}

func TestEqualNames(t *testing.T) {
	for name, source := range map[string]func(n int) string{
		"variables":   func(n int) string { return strings.Repeat("int x = x;\n", n) + "int last;\n" },
		"functions":   func(n int) string { return strings.Repeat("int f(void) { return f(); }\n", n) + "int last;\n" },
		"structs":     func(n int) string { return strings.Repeat("struct s { int a; } b;\nint c;\n", n) + "int last;\n" },
		"declarators": func(n int) string { return "int a0" + strings.Repeat(", a = a0", n) + ";\nint last;\n" },
	} {
		took := func(n int) time.Duration {
			tree := parsed(t, "c", source(n))
			began, asked := processorTime(), 0
			algotest.Follow(Definitions().Search(tree, pass.Gate{}, pass.Plan{}), func(c *parse.Candidate) bool {
				asked++
				return asked < 4 && bytes.Contains(c.Render(), []byte("last"))
			})
			h := &explorer{reader: read(parse.Whole(tree)), plan: pass.Plan{}}
			h.functions(progress{base: h.base, needed: []int32{0}, passed: make([]bool, len(h.units))})
			return processorTime() - began
		}
		const n = 3000
		few, many := took(n), took(4*n)
		for try := 0; many > 10*few && try < 2; try++ { // other processes slow it down
			few, many = min(few, took(n)), min(many, took(4*n))
		}
		if many > 10*few {
			t.Errorf("%s: %v for %d, %v for 4 times as many", name, few, n, many)
		}
	}
}

func processorTime() time.Duration {
	var use syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &use)
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// followed is algotest.Follow with reasons.
func followed(s *pass.Step, ask func(*parse.Candidate) (yes bool, reasons []string)) (c *parse.Candidate, asked int) {
	for ; !s.Ended(); asked++ {
		yes, reasons := ask(s.Candidate)
		if yes {
			c = s.Candidate
		}
		s = answer(s, yes, reasons)
	}
	return c, asked
}

func answer(s *pass.Step, yes bool, reasons []string) *pass.Step {
	if yes {
		return s.Next(algo.Interesting)
	}
	if s.Repair != nil && reasons != nil {
		if repaired := s.Repair(reasons); repaired != nil {
			return repaired
		}
	}
	return s.Next(algo.Uninteresting)
}

// Some functions need others that they do not mention. With reasons each failure tells which; without, each of them is
// found by bisection. Reasons that do not help are not believed for long.
func TestRepair(t *testing.T) {
	for _, n := range []int{100, 400, 1600} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "int f%d(int x)\n{ return %d; }\n", i, i)
		}
		const hidden = 12
		next := func(i int) int { return i - n/20 }
		tree := parsed(t, "c", b.String())
		tests := map[string]int{}
		for _, told := range []string{"nothing", "names", "places", "nonsense"} {
			ask := func(c *parse.Candidate) (interesting bool, reasons []string) {
				file := string(c.Render())
				for k, i := 0, n-1; k < hidden; k, i = k+1, next(i) {
					before, _, ok := strings.Cut(file, fmt.Sprintf("f%d(", i))
					if ok && strings.Contains(file, fmt.Sprintf("f%d(", next(i))) {
						continue
					}
					line := 1 + strings.Count(before, "\n")
					switch {
					case !ok:
						return false, nil // f_i is required, too
					case told == "names":
						reasons = append(reasons, fmt.Sprintf("- f%d", next(i)))
					case told == "places":
						reasons = append(reasons, fmt.Sprintf("a.c:%d:5 f%d", line, next(i)))
					case told == "nonsense":
						reasons = append(reasons, fmt.Sprintf("a.c:%d:5 f%d", line, k))
					}
					return false, reasons
				}
				return true, nil
			}
			got, asked := followed(Definitions().Search(tree, pass.Gate{}, pass.Plan{}), ask)
			tests[told] = asked
			if lines := strings.Count(string(got.Render()), "\n"); lines > 2*(hidden+2) {
				t.Errorf("%s, %d functions: %d lines are left", told, n, lines)
			}
		}
		if bare := tests["nothing"]; tests["names"] > 3*hidden || tests["places"] > 3*hidden || 2*tests["names"] > bare ||
			2*tests["places"] > bare || tests["nonsense"] > bare+8 {
			t.Errorf("%d functions: tests by what is told: %v", n, tests)
		}
	}
}

func TestPace(t *testing.T) {
	for _, x := range []struct {
		start pace
		gains []int // of all questions
		want  int   // the first question when it is slow
	}{
		{pace{}, make([]int, 20), patience},
		{pace{hurried: true}, make([]int, 20), patience / 2},
		{pace{hurried: true}, append([]int{1}, make([]int, 20)...), patience},
		{pace{}, append([]int{90}, make([]int, 20)...), patience + 1},
	} {
		weight, asked := 1000, 0
		for c := x.start; asked < len(x.gains) && !c.slow(weight); asked++ {
			c, weight = c.after(weight), weight-x.gains[asked]
		}
		if asked != x.want {
			t.Errorf("%+v with gains %v is slow after %d questions, want %d", x.start, x.gains, asked, x.want)
		}
	}
}
