package whittle_test

import (
	"bytes"
	"context"
	"regexp"
	"testing"

	"whittle"
	"whittle/parse"
)

type reads struct {
	parse.Language
	file   []byte
	parses *int
}

func (c reads) Parse(source []byte) (*parse.Tree, error) {
	if bytes.Equal(source, c.file) {
		*c.parses++
	}
	return c.Language.Parse(source)
}

func TestFileIsReadOnce(t *testing.T) {
	parses := 0
	source := readInput(t, "queue.c")
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input: source, Language: reads{language(t, "c"), source, &parses}, Property: containing("^" + regexp.QuoteMeta(string(source)) + "$"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Passes) < 4 || parses != 1 {
		t.Errorf("read %d times for %d passes", parses, len(result.Passes))
	}
}

// A space between two needed characters is removed.
func TestChars(t *testing.T) {
	for _, source := range []string{"a b\n", "a + b", "xa\xffyb\xfe"} {
		result, err := whittle.Reduce(context.Background(), whittle.Options{
			Input: []byte(source), Language: language(t, "chars"), Property: containing("(?s)a.*b"), MaxTests: 1000,
		})
		if err != nil {
			t.Fatal(err)
		}
		if string(result.File) != "ab" {
			t.Errorf("%q came to %q", source, result.File)
		}
	}
}

func TestLayout(t *testing.T) {
	for _, x := range []struct{ language, driver, source, pattern, want string }{
		{"json", "perses", "{\n\n  \"a\": [\n\n\n    1,\n\n    2,\n\n    3\n  ],\n\n\n    \"b\": 1\n}\n\n\n", `(?s)"a".*2`,
			"{\n  \"a\": 2\n}\n"},
		{"xml", "perses", "<a>\n\n\n  <b/>\n\n  <c/>\n\n   <d/>\n\n</a>\n", `(?s)<a>.*<c/>.*</a>`, "<a><c/></a>\n"},
		{"c", "hdd", "int f() {\n\n\n        g();\n\n\n  h(a,   b);\n\n}\n", `(?s)int f.*g\(\);\s*h\(a,.*b\)`,
			"int f{\n  g();\n  h(a, b)\n}\n"},
		{"python", "perses", "if a:\n\n      b\n\n\n      c\n", `(?s)if a.*b\n\n.*c`, "if a:\n\n      b\n\n      c\n"},
	} {
		result, err := whittle.Reduce(context.Background(), whittle.Options{
			Input: []byte(x.source), Language: language(t, x.language), Driver: x.driver, Property: containing(x.pattern),
		})
		if err != nil {
			t.Fatal(err)
		}
		if string(result.File) != x.want {
			t.Errorf("%s: %q came to %q, want %q", x.language, x.source, result.File, x.want)
		}
	}
}

// In an unknown language an operator is removed with either operand, or alone.
func TestOperators(t *testing.T) {
	for _, x := range []struct{ source, pattern, want string }{
		{"x == 1 * 5\n", `x == .*5`, "x == 5\n"},
		{"foo a + c\n", `foo .*a.* c`, "foo a c\n"},
		{"x = y ? 1 : 5;\n", `x.* y.* 5`, "x y 5\n"},
		{"return 1 * 5;\n", `return .*5`, "return 5\n"},
	} {
		result, err := whittle.Reduce(context.Background(), whittle.Options{
			Input: []byte(x.source), Language: language(t, "structure"), Property: containing(x.pattern),
		})
		if err != nil {
			t.Fatal(err)
		}
		if string(result.File) != x.want {
			t.Errorf("%q came to %q, want %q", x.source, result.File, x.want)
		}
	}
}
