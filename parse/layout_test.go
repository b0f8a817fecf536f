package parse_test

import (
	"testing"

	"whittle/parse"
)

func TestPlain(t *testing.T) {
	for _, x := range []struct{ language, source, plain, careful string }{
		{"c", "\n\n    int f() {\n\n\n        if (a)  \n            b  =  c;\n    }\n \n",
			"int f() {\n if (a)\n  b = c;\n}\n", "    int f() {\n\n        if (a)\n            b  =  c;\n    }\n"},
		{"c", "int x; // a\n\n  // b\nint y;  ", "int x; // a\n // b\nint y;", "int x; // a\n\n  // b\nint y;"},
		{"c", "#define A  1\r\n\r\n\tint y;\r\n", "#define A 1\r\n\tint y;\r\n", "#define A  1\r\n\r\n\tint y;\r\n"},
		{"c", "int a[] = { \n };\n", "int a[] = {};\n", "int a[] = {};\n"},
		{"json", "{\n\n  \"a\": [\n\n\n  ],\n    \"b\":\t1\n}", "{\n \"a\": [],\n  \"b\":\t1\n}",
			"{\n\n  \"a\": [],\n    \"b\":\t1\n}"},
		{"python", "if a:\n    b\n\n    if c:\n        d\n    e\nf\n\n\n", "if a:\n b\n if c:\n  d\n e\nf\n",
			"if a:\n    b\n\n    if c:\n        d\n    e\nf\n"},
		{"go", "package p\n\n\nfunc f() {\n\t\tg()\n\t\th()\n}\n", "package p\nfunc f() {\n\tg()\n\th()\n}\n",
			"package p\n\nfunc f() {\n\t\tg()\n\t\th()\n}\n"},
		{"structure", "a \\\n\n  b  c\n\n\nd", "a \\\n\n  b c\nd", "a \\\n\n  b  c\n\nd"},
		{"lines", "a  b\n\n\nc", "a  b\n\n\nc", "a  b\n\n\nc"},
	} {
		tree := whole(t, x.language, x.source).Tree()
		for careful, want := range map[bool]string{false: x.plain, true: x.careful} {
			if got := string(parse.Plain(tree, careful).Render()); got != want {
				t.Errorf("%s: %q is plainly %q, want %q (careful: %v)", x.language, x.source, got, want, careful)
			}
		}
	}
}
