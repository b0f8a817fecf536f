package grammars

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"whittle/internal/testkit/cases"
	"whittle/parse"
)

var hostile = map[string][]string{
	"groovy": {"{{if(m){ } else { tw E"}, // error recovery loops
	// More open blocks than the scanner has room for.
	"markdown": {strings.Repeat("> ", 300) + "x\n", strings.Repeat("- ", 5000) + "x\n", strings.Repeat(">", 250_000)},
	"yaml":     {"a: 1\nb:\n  " + strings.Repeat(": ", 580) + "- c: &x d"},
	// Deeper than the ANTLR runtime can recurse.
	"json": {strings.Repeat("[", 250_000) + strings.Repeat("]", 250_000)},
	"smt2": {"(assert " + strings.Repeat("(f ", 250_000) + "x" + strings.Repeat(")", 250_000) + ")"},
	"xml":  {strings.Repeat("<a>", 250_000) + strings.Repeat("</a>", 250_000)},
	"dot":  {"graph{" + strings.Repeat("{", 250_000) + strings.Repeat("}", 250_000) + "}"},
	"llvm": {"define void @f(" + strings.Repeat("{", 250_000) + strings.Repeat("}", 250_000) + " %x) {\n}\n"},
}

func TestHostile(t *testing.T) {
	names := slices.Sorted(maps.Keys(hostile))
	for i := range cases.Of(t, len(names), 3) {
		name := names[i]
		l, _ := Find(name)
		for _, s := range hostile[name] {
			_, err := l.Parse([]byte(s))
			if refusal := (*parse.Refusal)(nil); !errors.As(err, &refusal) {
				t.Errorf("%s: the error for %.30q is %v", name, s, err)
			}
			if n := l.Errors([]byte(s)); n != parse.Unreadable {
				t.Errorf("%s: %d errors in %.30q", name, n, s)
			}
			var warnings []string
			r := NewReading(l, "file", []byte(s), func(w string) { warnings = append(warnings, w) })
			for range 2 {
				tree, err := r.Parse([]byte(s))
				if err != nil {
					t.Errorf("%s: %.30q: %v", name, s, err)
				} else if tree.Errors != r.Errors([]byte(s)) {
					t.Errorf("%s: %.30q: %d errors, not %d", name, s, r.Errors([]byte(s)), tree.Errors)
				}
			}
			if len(warnings) != 1 || !strings.HasPrefix(warnings[0],
				"file cannot be read as "+name) || r.Language().Name != "structure" {
				t.Errorf("%s: read as %s, warnings %q", name, r.Language().Name, warnings)
			}
		}
	}
}

// If only a later text is refused, the file keeps its language.
func TestReading(t *testing.T) {
	warnings := 0
	l, _ := Find("groovy")
	file := []byte("def f(x) { x }\n")
	r := NewReading(l, "file", file, func(string) { warnings++ })
	for range 2 {
		if tree, err := r.Parse(file); err != nil || tree.Errors != 0 {
			t.Error(err)
		}
	}
	bad := []byte(hostile["groovy"][0])
	if tree, err := r.Parse(bad); err != nil || len(tree.Nodes) == 0 {
		t.Error(err)
	}
	if n := r.Errors(bad); n != parse.Unreadable {
		t.Error(n, "errors")
	}
	if r.Errors(file) != 0 || r.Language().Name != "groovy" || warnings != 1 {
		t.Errorf("%s with %d errors, %d warnings", r.Language().Name, r.Errors(file), warnings)
	}
}

type breaks struct{ parse.Language }

func (breaks) Parse([]byte) (*parse.Tree, error) { panic("index out of range") }
func (breaks) Errors([]byte) int                 { panic("index out of range") }

func TestReadingSurvivesPanics(t *testing.T) {
	var warning string
	file := []byte("a b")
	r := NewReading(Language{Name: "breaks", Language: breaks{}}, "file", file, func(s string) { warning = s })
	if tree, err := r.Parse(file); err != nil || len(tree.Tokens) != 2 {
		t.Error(tree, err)
	}
	if want := "file cannot be read as breaks: "; !strings.HasPrefix(warning, want) {
		t.Errorf("the warning is %q", warning)
	}
}

// A large text is read by lines, without syntax errors. The first one that is not large is read by the language, or as
// structure if that refuses it.
func TestCoarseReading(t *testing.T) {
	l, _ := Find("json")
	lines := strings.Repeat("{\"a\": [1, 2]},\n", large/14)
	for end, name := range map[string]string{"{}": "json", strings.Repeat("[", 250_000): "structure"} {
		file := []byte("[\n" + lines + end + "\n")
		r := NewReading(l, "file", file, func(string) {})
		r.Coarse = true
		tree, err := r.Parse(file)
		if err != nil || !tree.NoSyntax || tree.Errors+r.Errors(file) > 0 || len(tree.Tokens) > 4*strings.Count(lines, "\n") {
			t.Errorf("%v, %d tokens", err, len(tree.Tokens))
		}
		some := file[len(file)-(300<<10):]
		if tree, err = r.Parse(some); err != nil || tree.NoSyntax || r.Errors(some) == 0 || r.Language().Name != name {
			t.Errorf("%s: %v, %d errors", r.Language().Name, err, r.Errors(some))
		}
	}
}

// A line may end a member of a type before a call signature, in TypeScript.
func TestCallSignatures(t *testing.T) {
	l, _ := Find("typescript")
	for _, source := range []string{
		"interface A {\n  <S>(r: S): () => S\n  <T, U>(i: T): T\n}\nlet x = 1;\n",
		"type A = {\n  a: (x: B<C>) => D<\n    E\n  >\n\n  /** f */\n  <T extends (x: any) => any>(\n    i: T\n  ): T\n}\n",
		"let x = a\n  < b;\nclass C\n  extends D { }\n",
	} {
		tree, err := l.Parse([]byte(source))
		if err != nil || tree.Errors > 0 || string(parse.Whole(tree).Render()) != source {
			t.Errorf("%s: %v, rendered as %s", source, err, parse.Whole(tree).Render())
		}
	}
}
