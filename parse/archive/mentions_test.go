package archive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whittle/internal/testkit/passtest"
	"whittle/parse"
)

// A file goes with the nodes that mention it, in each language.
func TestMentions(t *testing.T) {
	for _, x := range []struct {
		name  string
		files []string
		gone  string // path
		want  string // the files with mentions without them
	}{
		{"Rust modules", []string{"src/lib.rs", "mod a;\npub mod b;\nfn f() {}\n", "src/a.rs", "mod c;\n", "src/a/c.rs", "",
			"src/b/mod.rs", "mod c;\n", "src/b/c.rs", "struct C;\n"}, "src/b", "src/lib.rs: mod a;\nfn f() {}\n"},
		{"a Rust module in braces", []string{"src/lib.rs", "mod a {\n    mod b {\n        mod c;\n    }\n}\nmod c;\n", "src/c.rs", "", "src/a/b/c.rs", "fn f() {}\n"},
			"src/a/b/c.rs", "src/lib.rs: mod a {\n}\nmod c;\n"},
		{"a Rust module in a module", []string{"src/lib.rs", "mod a;\nmod c;\n", "src/a.rs", "mod c;\nfn g() {}\n", "src/a/c.rs", "", "src/c.rs", ""},
			"src/a/c.rs", "src/a.rs: fn g() {}\n"},
		{"C headers", []string{"src/a.c", "#include \"h/b.h\"\n#include <k.h>\nint x;\n", "include/h/b.h", "int b;\n", "include/k.h", "int k;\n"},
			"include", "src/a.c: int x;\n"},
		{"the nearest header", []string{"src/a.c", "#include \"b.h\"\nint x;\n", "src/b.h", "int b;\n", "include/b.h", "int k;\n"},
			"include/b.h", ""},
		{"Go packages", []string{"go.mod", "module example.com/m\n", "a.go", "package m\n\nimport (\n\t\"encoding/json\"\n\t\"example.com/m/json\"\n)\n\nvar x int\n",
			"json/json.go", "package json\n"}, "json", "a.go: package m\n\nimport (\n\t\"encoding/json\"\n)\n\nvar x int\n"},
		{"the only import", []string{"go.mod", "module m\n", "a.go", "package m\n\nimport \"m/b\"\n\nvar x int\n", "b/b.go", "package b\n"}, "b",
			"a.go: package m\n\nvar x int\n"},
		{"TypeScript modules", []string{"src/a.ts", "import { b } from './b'\nexport * from \"./c\"\nimport d = require('./d.js')\nlet x = 1\n",
			"src/b.ts", "", "src/c/index.ts", "", "src/d.ts", ""}, "src/c", "src/a.ts: import { b } from './b'\nimport d = require('./d.js')\nlet x = 1\n"},
		{"JavaScript packages", []string{"packages/p/package.json", "{\"name\": \"@s/p\"}\n", "packages/p/x.js", "", "a.js",
			"import p from '@s/p/x.js'\nimport '@s/p'\nlet x\n"}, "packages/p", "a.js: let x\n"},
		{"Python modules", []string{"p/__init__.py", "from .a import x\nfrom . import b\nimport p.c as d\nfrom p.e import (f, g)\n", "p/a.py", "x = 1\n",
			"p/b.py", "", "p/c/__init__.py", "", "p/e.py", ""}, "p/e.py", "p/__init__.py: from .a import x\nfrom . import b\nimport p.c as d\n"},
		{"a Python name", []string{"p/a.py", "from . import b, c\nfrom p import d\nx = 1\n", "p/b.py", "", "p/c.py", "", "p/d.py", ""}, "p/c.py",
			"p/a.py: from . import b\nfrom p import d\nx = 1\n"},
		{"a Python module by its package", []string{"p/a.py", "from . import b\nfrom p import d\nx = 1\n", "p/b.py", "", "p/d.py", ""}, "p/d.py",
			"p/a.py: from . import b\nx = 1\n"},
		{"Python packages", []string{"t/t.py", "import p.c as d, os\nimport p.q\n", "src/p/c/__init__.py", "", "src/p/q.py", ""}, "src",
			"t/t.py: import os\n"},
		{"Java classes", []string{"src/main/a/b/C.java", "package a.b;\nclass C {}\n", "src/main/a/D.java", "package a;\nimport a.b.C;\nclass D {}\n"},
			"src/main/a/b/C.java", "src/main/a/D.java: package a;\nclass D {}\n"},
		{"Ruby files", []string{"lib/a.rb", "require 'b/c'\nrequire_relative 'd'\nautoload :D, \"d\"\nx = 1\n", "lib/b/c.rb", "", "lib/d.rb", ""},
			"lib/d.rb", "lib/a.rb: require 'b/c'\nx = 1\n"},
		{"PHP classes", []string{"a.php", "<?php\nuse B\\C;\nuse B\\D;\n$x = [new C(), new D()];\nfunction f(D $d) {}\n", "src/C.php", "", "src/D.php", ""},
			"src/D.php", "a.php: <?php\nuse B\\C;\n$x = [new C()];\nfunction f() {}\n"},
		{"Kotlin classes", []string{"src/A.kt", "package p\nimport a.b.C\nimport a.D\nval x = 1\n", "src/a/b/C.kt", "", "src/a/D.kt", ""},
			"src/a/b/C.kt", "src/A.kt: package p\nimport a.D\nval x = 1\n"},
		{"Scala classes", []string{"src/A.scala", "package p\nimport a.b.C\nimport a.D\nobject O\n", "src/C.scala", "", "src/D.scala", ""},
			"src/C.scala", "src/A.scala: package p\nimport a.D\nobject O\n"},
		{"shell scripts", []string{"a.sh", "./b.sh x\n. lib/c.sh\ncat d.txt e.txt\n", "b.sh", "", "lib/c.sh", "", "d.txt", "", "e.txt", ""}, "lib/c.sh",
			"a.sh: ./b.sh x\ncat d.txt e.txt\n"},
		{"CMake", []string{"CMakeLists.txt", "project(p C)\nadd_subdirectory(test)\nset(s\n  src/a.c\n  src/b.c\n  src/c.c)\nadd_library(p ${s})\n",
			"src/a.c", "", "src/b.c", "", "src/c.c", "", "test/CMakeLists.txt", "x(y)\n"}, "src/b.c",
			"CMakeLists.txt: project(p C)\nadd_subdirectory(test)\nset(s\n  src/a.c\n  src/c.c)\nadd_library(p ${s})\n"},
		{"a CMake directory", []string{"CMakeLists.txt", "project(p C)\nadd_subdirectory(test)\nx(p)\n", "test/CMakeLists.txt", "x(y)\n"}, "test",
			"CMakeLists.txt: project(p C)\nx(p)\n"},
		{"make", []string{"Makefile", "OBJ = a.o src/b.o c.o\nall: $(OBJ)\n", "a.c", "", "src/b.c", "", "c.c", ""}, "src/b.c",
			"Makefile: OBJ = a.o c.o\nall: $(OBJ)\n"},
		{"a Cargo workspace", []string{"Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n", "a/Cargo.toml",
			"[dependencies]\nb = { path = \"../b\" }\nlibc = \"1\"\n", "b/Cargo.toml", "[package]\nname = \"b\"\n"}, "b",
			"Cargo.toml: [workspace]\nmembers = [\"a\"]\na/Cargo.toml: [dependencies]\nlibc = \"1\"\n"},
		{"a Cargo target", []string{"Cargo.toml", "[package]\nname = \"x\"\n\n[[test]]\nname = \"t\"\npath = \"tests/t.rs\"\n", "tests/t.rs", ""}, "tests/t.rs",
			"Cargo.toml: [package]\nname = \"x\"\n"},
		{"a Cargo target by name", []string{"Cargo.toml", "[package]\nname = \"x\"\n\n[[test]]\nname = \"t\"\n", "tests/t.rs", ""}, "tests",
			"Cargo.toml: [package]\nname = \"x\"\n"},
		{"JSON", []string{"tsconfig.json", "{\"files\": [\"src/a.ts\", \"src/b.ts\"]}\n", "src/a.ts", "", "src/b.ts", ""}, "src/a.ts",
			"tsconfig.json: {\"files\": [\"src/b.ts\"]}\n"},
	} {
		_, tree := passtest.Project(t, x.files...)
		i := slices.IndexFunc(tree.Parts, func(p parse.Part) bool { return p.Path == x.gone })
		c := parse.Whole(tree).DropFiles(tree.Parts[i].Node)
		got := ""
		for _, p := range tree.Parts {
			root := tree.Root(p)
			if root < 0 || !c.Live(root) || c.WeightOf(root) == parse.Whole(tree).WeightOf(root) {
				continue
			}
			var all []int32
			for _, o := range tree.Parts {
				if !strings.HasPrefix(p.Path+"/", o.Path+"/") {
					all = append(all, o.Node)
				}
			}
			text := c.Drop(all...).Render()
			_, text, _ = cutHeads(text)
			got += fmt.Sprintf("%s: %s", p.Path, text)
		}
		if got != x.want {
			t.Errorf("%s: without %s:\n%s\nwant\n%s", x.name, x.gone, got, x.want)
		}
	}
}

// cutHeads returns the text after the last head.
func cutHeads(archive []byte) (heads, text []byte, found bool) {
	at := strings.LastIndex(string(archive), "\x00whittle ")
	end := at + strings.IndexByte(string(archive[at:]), '\n') + 1
	return archive[:end], archive[end:], at >= 0
}
