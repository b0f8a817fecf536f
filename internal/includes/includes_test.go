package includes

import (
	"io/fs"
	"slices"
	"testing"
)

// Files are pasted where they are included, as often as that is more than nothing, and
// none into itself.
func TestPaste(t *testing.T) {
	files := map[string]string{
		"d/a.h":     "#ifndef A\n#define A\n#include \"sub/b.h\"\nint a;\n#endif",
		"d/sub/b.h": "#pragma once\n#include \"c.h\"\nint b;\n",
		"d/sub/c.h": "int c;\n",
		"d/x.def":   "X(1)\n",
		"i/e.h":     "#include \"e.h\"\n#include \"../d/a.h\"\nint e;\n",
		"d/empty.h": "",
	}
	read := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	p := Paster{Dirs: []string{"i"}, Read: read}
	got, pasted := p.Paste("d/m.c", []byte("#include <stdio.h>\n # include \"a.h\" // all\n#include \"none.h\"\n"+
		"#include \"x.def\"\n#include \"x.def\"\n#include <e.h>\n#include \"sub/b.h\"\n#include \"m.c\"\n#include \"empty.h\"\nint m;"))
	const want = "#include <stdio.h>\n#ifndef A\n#define A\nint c;\nint b;\nint a;\n#endif\n#include \"none.h\"\n" +
		"X(1)\nX(1)\n#include \"e.h\"\nint e;\n#include \"m.c\"\nint m;"
	if string(got) != want {
		t.Errorf("%s", got)
	}
	if !slices.Equal(pasted, []string{"d/a.h", "d/sub/b.h", "d/sub/c.h", "d/x.def", "i/e.h", "d/empty.h"}) {
		t.Errorf("%q", pasted)
	}
}
