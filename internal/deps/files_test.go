package deps

import (
	"slices"
	"strings"
	"testing"

	"whittle/internal/testkit/passtest"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/pass"
)

// textOf returns the files of a candidate as sorted lines.
func textOf(t *testing.T, set *archive.Set, c *parse.Candidate) string {
	t.Helper()
	found, err := set.Entries(c.Render())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range found {
		if !e.Mode.IsDir() {
			lines = append(lines, e.Path+": "+strings.Join(strings.Fields(string(e.Content)), " "))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A definition is kept with the files of the definitions that it mentions, and with the mentions on the way there.
func TestKeepInProject(t *testing.T) {
	for _, x := range []struct {
		name   string
		files  []string
		wanted string
		kept   []string
	}{
		{"Rust", []string{".cargo/config", "[source]\n", "Cargo.toml", "[package]\nname = \"p\"\n[[test]]\nname = \"t\"\npath = \"tests/t.rs\"\n",
			"src/lib.rs", "pub mod a;\npub mod b;\nmod c;\n", "src/a/mod.rs", "pub mod d;\npub mod e;\n",
			"src/a/d.rs", "use crate::b::B;\nuse std::{rc::Rc, vec};\nuse std::io;\npub fn d(x: B) -> Rc<u8> {}\npub fn d2() {}\n", "src/a/e.rs", "pub fn e() {}\n",
			"src/b.rs", "pub struct B;\npub struct B2;\n", "src/c.rs", "fn f() {}\n", "tests/t.rs", "fn t() {}\n"}, "pub fn d(",
			[]string{".cargo/config: [source]", "Cargo.toml: [package] name = \"p\"", "src/lib.rs: pub mod a; pub mod b;", "src/a/mod.rs: pub mod d;",
				"src/a/d.rs: use crate::b::B; use std::{rc::Rc, vec}; use std::io; pub fn d(x: B) -> Rc<u8> {}", "src/b.rs: pub struct B;"}},
		{"alternatives in Rust", []string{"src/lib.rs", "#![no_std]\n#[cfg(feature = \"raw\")]\npub mod raw {\n    mod inner;\n    pub use inner::*;\n}\n" +
			"#[cfg(not(feature = \"raw\"))]\nmod raw;\nmod map;\nmacro_rules! m {\n    ($(if #[cfg($a:meta)] { $b:item })*) => { $($b)* };\n}\n",
			"src/raw/mod.rs", "mod alloc;\npub use self::alloc::A;\npub struct T<B: A>(B);\npub fn other() {}\n", "src/raw/alloc.rs", "pub trait A {}\n",
			"src/map.rs", "use crate::raw::{A, T};\npub fn f<B: A>(t: T<B>) { m!() }\n"}, "pub fn f<",
			[]string{"src/lib.rs: #![no_std] #[cfg(feature = \"raw\")] pub mod raw { } #[cfg(not(feature = \"raw\"))] mod raw; mod map; " +
				"macro_rules! m { ($(if #[cfg($a:meta)] { $b:item })*) => { $($b)* }; }",
				"src/raw/mod.rs: mod alloc; pub use self::alloc::A; pub struct T<B: A>(B);", "src/raw/alloc.rs: pub trait A {}",
				"src/map.rs: use crate::raw::{A, T}; pub fn f<B: A>(t: T<B>) { m!() }"}},
		{"a manifest with the root", []string{"Cargo.toml", "[lib]\npath = \"src/lib.rs\"\n", "src/lib.rs", "mod a;\nmod b;\n", "src/a.rs", "fn f() {}\n", "src/b.rs", "fn g() {}\n"},
			"fn f(", []string{"Cargo.toml: [lib] path = \"src/lib.rs\"", "src/lib.rs: mod a;", "src/a.rs: fn f() {}"}},
		{"C", []string{"CMakeLists.txt", "project(p C)\nadd_library(p\n  src/a.c\n  src/b.c)\n",
			"src/a.c", "#include \"x.h\"\n#include \"z.h\"\n#include <stdio.h>\nint f(y *p) { return 1; }\nint f2(void) { return z; }\n",
			"src/b.c", "#include \"y.h\"\nint g(void) { return 1; }\n", "src/x.h", "#include \"y.h\"\nint x;\n",
			"src/y.h", "typedef int y;\ntypedef int y2;\n", "src/z.h", "int z;\n"}, "int f(",
			[]string{"CMakeLists.txt: project(p C) add_library(p src/a.c )",
				"src/a.c: #include \"x.h\" #include <stdio.h> int f(y *p) { return 1; }", "src/x.h: #include \"y.h\"", "src/y.h: typedef int y;"}},
		{"Go", []string{"go.mod", "module m\n\ngo 1.18\n", "a.go", "package m\n\nimport \"m/b\"\n\nvar x = b.Y\n", "b/b.go",
			"package b\n\nimport (\n\t\"m/c\"\n\t\"os\"\n)\n\nvar B c.C\n\nvar Y = os.Args\n", "c/c.go", "package c\n\ntype C int\n", "c/d.go", "package c\n\ntype D int\n"},
			"var B", []string{"go.mod: module m go 1.18", "b/b.go: package b import ( \"m/c\" ) var B c.C", "c/c.go: package c type C int"}},
		{"TypeScript", []string{"tsconfig.json", "{\"files\": [\"src/main.ts\", \"src/b.ts\"]}\n", "src/main.ts",
			"import { f } from './all'\nimport { g } from './all'\nexport const h = () => f()\nexport const i = () => g()\n", "src/all.ts", "export * from './f'\nexport * from './g'\n",
			"src/f.ts", "export function f() {}\nexport function f2() {}\n", "src/g.ts", "export function g() {}\n", "src/b.ts", "let b = 1\n"}, "const h",
			[]string{"tsconfig.json: {\"files\": [\"src/main.ts\"]}", "src/main.ts: import { f } from './all' export const h = () => f()",
				"src/all.ts: export * from './f'", "src/f.ts: export function f() {}"}},
		{"Java", []string{"pom.xml", "<project><name>p</name></project>\n", "a.yaml", "a: &b 1\n", "src/A.java",
			"class A {\n    int f() { return 1; }\n    int g() { return 2; }\n}\nclass B {}\n"}, "int f(",
			[]string{"pom.xml: <project><name>p</name></project>", "a.yaml: a: &b 1", "src/A.java: class A { int f() { return 1; } }"}},
		{"Python", []string{"p/__init__.py", "from .a import f\nfrom . import b\n", "p/a.py", "from .c import x\ndef f(): return x\ndef g(): return 1\n",
			"p/b.py", "def h(): return 1\n", "p/c.py", "x = 1\ny = 2\n", "t.py", "from p import f\ndef test(): f()\n"}, "def test",
			[]string{"p/__init__.py: from .a import f", "p/a.py: from .c import x def f(): return x", "p/c.py: x = 1", "t.py: from p import f def test(): f()"}},
	} {
		set, tree := passtest.Project(t, x.files...)
		base := parse.Whole(tree)
		g := read(base)
		wanted := slices.IndexFunc(g.units, func(u unit) bool {
			at := tree.Tokens[tree.Nodes[u.node].First].Start
			return strings.HasPrefix(string(tree.Source[at:]), x.wanted) || strings.HasPrefix(string(tree.Source[at:]), "export "+x.wanted)
		})
		if wanted < 0 {
			t.Errorf("%s: %s is no definition", x.name, x.wanted)
			continue
		}
		slices.Sort(x.kept)
		if got, want := textOf(t, set, g.keep(base, []int32{int32(wanted)}, nil)), strings.Join(x.kept, "\n"); got != want {
			t.Errorf("%s: for %s is kept\n%s\nwant\n%s", x.name, x.wanted, got, want)
		}
		all := make([]int32, len(g.units))
		for i := range all {
			all[i] = int32(i)
		}
		if got, want := textOf(t, set, g.keep(base, all, nil)), textOf(t, set, base); got != want {
			t.Errorf("%s: if all are wanted there stays\n%s", x.name, got)
		}
	}
}

// Errors bring back the file of a module and the use of a macro, which no code mentions.
func TestSliceOfMacros(t *testing.T) {
	set, tree := passtest.Project(t, "src/lib.rs", "m! { mod b; }\nmod a;\nmod c;\n", "src/a.rs",
		"use crate::D;\nmacro_rules! d { ($t:ty) => { struct D($t); } }\nd!(u8);\nfn f(d: D) {\n    crash();\n}\n", "src/b.rs", "fn g() {}\n", "src/c.rs", "fn g() {}\n")
	for reason, want := range map[string]string{"src/lib.rs:1:6 b": "src/b.rs:", "src/a.rs:1:12 D crate": "d!(u8);"} {
		h := &explorer{reader: read(parse.Whole(tree)), plan: pass.Plan{Clues: []string{"@src/a.rs:5:5"}}}
		s := h.newSlice(progress{base: h.base}, h.clued(h.base), nil, named)
		before, got := textOf(t, set, s.c), textOf(t, set, s.restore([]string{reason}).restore([]string{reason}).c)
		if strings.Contains(before, want) || !strings.Contains(got, want) || strings.Contains(got, "src/c.rs") {
			t.Errorf("%s: %s becomes %s", reason, before, got)
		}
	}
}
