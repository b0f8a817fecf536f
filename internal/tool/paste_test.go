package tool

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// Files are inlined wherever they are included, unless they have no effect there or include
// themselves.
func TestPaste(t *testing.T) {
	files := map[string]string{
		"d/a.h":     "#ifndef A\n#define A\n#include \"sub/b.h\"\nint a;\n#endif",
		"d/sub/b.h": "#pragma once\n#include \"c.h\"\nint b;\n",
		"d/sub/c.h": "int c;\n",
		"d/x.def":   "X(1)\n",
		"i/e.h":     "#include \"e.h\"\n#include \"../d/a.h\"\nint e;\n",
		"d/empty.h": "",
	}
	p := Paster{Dirs: []string{"i"}, Read: reads(files)}
	got, pasted := p.Paste("d/m.c", []byte("#include <stdio.h>\n # include \"a.h\" // all\n#include \"none.h\"\n"+
		"#include \"x.def\"\n#include \"x.def\"\n#include <e.h>\n"+
		"#include \"sub/b.h\"\n#include \"m.c\"\n#include \"empty.h\"\nint m;"))
	const want = "#include <stdio.h>\n#ifndef A\n#define A\nint c;\nint b;\nint a;\n#endif\n#include \"none.h\"\n" +
		"X(1)\nX(1)\n#include \"e.h\"\nint e;\n#include \"m.c\"\nint m;"
	if string(got) != want {
		t.Errorf("%s", got)
	}
	if !slices.Equal(pasted, []string{"d/a.h", "d/sub/b.h", "d/sub/c.h", "d/x.def", "i/e.h", "d/empty.h"}) {
		t.Errorf("%q", pasted)
	}
}

func reads(files map[string]string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

// Needed files are found in other languages, directly and indirectly.
func TestNeeded(t *testing.T) {
	files := map[string]string{
		"d/main.py":   "import os, helper\nfrom pkg.sub import x\nimport pkg2\n  import  main\n",
		"d/helper.py": "from pkg.sub import y\n", "d/pkg/sub.py": "", "d/pkg2/__init__.py": "import helper\n",
		"d/os/none.py": "", "lib.rs": "pub mod a;\nmod b ;\nmod c { }\nmod d;\n", "a.rs": "mod e;",
		"b/mod.rs": "", "c.rs": "", "e.rs": "",
		"x.js": "require('./y'); import z from \"./z.mjs\"; import '../up.js'; 'none'", "y.js": "",
		"z.mjs": "", "../up.js": "",
		"a.rb": "require_relative 'b'", "b.rb": "", "a.php": "require_once(__DIR__ . '/b.php');", "b.php": "",
		"a.lua": "local m = require(\"m.n\")", "m/n.lua": "", "a.proto": "import public \"b.proto\";", "b.proto": "",
		"a.xml": "<!DOCTYPE a SYSTEM \"a.dtd\">", "a.dtd": "",
	}
	for _, c := range []struct{ language, path, want string }{
		{"python", "d/main.py", "d/helper.py d/pkg/sub.py d/pkg2/__init__.py"},
		{"rust", "./lib.rs", "a.rs b/mod.rs e.rs"}, {"javascript", "x.js", "y.js z.mjs"}, {"ruby", "a.rb", "b.rb"},
		{"php", "a.php", "b.php"}, {"lua", "a.lua", "m/n.lua"}, {"protobuf", "a.proto", "b.proto"},
		{"xml", "a.xml", "a.dtd"},
		{"c", "x.js", ""}, {"python", "/d/main.py", ""}, {"python", "none.py", ""},
	} {
		if got := strings.Join(NeededFiles(c.language, c.path, reads(files)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
	for line := range bytes.Lines([]byte(languages)) {
		if names,
			targets := naming(strings.Fields(string(line))[0]); line[0] != '#' && (names.NumSubexp() != 1 || len(targets) == 0) {
			t.Errorf("%s", line)
		}
	}
}
