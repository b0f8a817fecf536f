package grammars

import (
	"strings"
	"testing"

	"whittle/internal/testkit/samples"
	"whittle/parse"
	"whittle/parse/archive"
)

func TestNames(t *testing.T) {
	for _, x := range []struct {
		language, source, kind string
		fields                 map[string]string // of the first node of that kind
	}{
		{"c", "int f(int a) { g(a, 1); }", "call_expression", map[string]string{"function": "g", "arguments": "(a, 1)"}},
		{"c", "int f(int a) { if (a > 1) return 2; else b(); }", "if_statement",
			map[string]string{"condition": "(a > 1)", "consequence": "return 2;", "alternative": "else b();"}},
		{"c", "int f(int a) { return 1; }", "function_definition",
			map[string]string{"type": "int", "declarator": "f(int a)", "body": "{ return 1; }", "value": ""}},
		{"c", "int f(int);", "parameter_declaration", map[string]string{"type": "int"}}, // one node with its type
		{"cpp", "struct s : t { int a; };", "struct_specifier", map[string]string{"name": "s", "body": "{ int a; }"}},
		{"python", "def f(a):\n    return g(a)\n", "call", map[string]string{"function": "g", "arguments": "(a)"}},
		{"python", "if a:\n    b\nelse:\n    c\n", "if_statement",
			map[string]string{"condition": "a", "consequence": "b", "alternative": "else:\n    c"}},
		{"python", "def f(a):\n    return 1\n", "function_definition",
			map[string]string{"name": "f", "parameters": "(a)", "body": "return 1"}},
		{"go", "package p\nfunc f(a int) { g(a) }\n", "call_expression",
			map[string]string{"function": "g", "arguments": "(a)"}},
		{"go", "package p\nfunc f() { if a { b() } }\n", "if_statement",
			map[string]string{"condition": "a", "consequence": "{ b() }"}},
		{"rust", "fn f(a: i32) { g(a); }", "function_item", map[string]string{"name": "f", "body": "{ g(a); }"}},
		{"rust", "fn f(a: i32) { g(a); }", "call_expression", map[string]string{"function": "g", "arguments": "(a)"}},
		{"java", "class A { void f() { if (a) g(1); } }", "method_invocation",
			map[string]string{"name": "g", "arguments": "(1)"}},
		{"java", "class A { void f() { if (a) g(1); } }", "method_declaration",
			map[string]string{"name": "f", "body": "{ if (a) g(1); }"}},
		{"javascript", "if (a) { f(b) }", "if_statement", map[string]string{"condition": "(a)", "consequence": "{ f(b) }"}},
		{"c", "namespace a { int x; int y; ) }", "ERROR", nil},
		{"json", `{"a": [1, 2]}`, "member", nil},
		{"xml", "<a b='1'>x<c/></a>", "element", nil},
		{"lines", "a b\nc\n", "line", nil},
		{"words", "a b\nc\n", "word", nil},
		{"structure", "f (a, b) {\n  c;\n}\n", "group", nil},
	} {
		t.Run(x.language+"/"+x.kind, func(t *testing.T) {
			l, ok := Find(x.language)
			if !ok {
				t.Fatalf("no language %s", x.language)
			}
			tree, err := l.Parse([]byte(x.source))
			if err != nil {
				t.Fatal(err)
			}
			found := int32(-1)
			for n := int32(len(tree.Nodes)) - 1; n >= 0; n-- {
				if tree.Is(n, x.kind) {
					found = n
				}
			}
			if found < 0 {
				t.Fatalf("%q has no %s:\n%s", x.source, x.kind, outline(tree))
			}
			for field, want := range x.fields {
				if got := textOf(tree, tree.Child(found, field)); got != want {
					t.Errorf("%s of %q is %q, want %q:\n%s", field, textOf(tree, found), got, want, outline(tree))
				}
			}
		})
	}
}

// The names are the same as in the trees of the files.
func TestNamesOfFiles(t *testing.T) {
	var entries []archive.Entry
	for _, name := range []string{"c", "json", "python", "lines", "structure", "c"} {
		l, _ := Find(name)
		all, err := samples.Of("..", l.Name)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.Repeat("x", len(entries)+1)
		entries = append(entries, archive.Entry{Path: path, Content: all[0].Text, Language: l})
	}
	files := archive.New(entries)
	tree, err := files.Parse(files.Archive())
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range tree.Parts {
		if got := tree.Kind(part.Node); got != "file" {
			t.Errorf("entry %d is %q", i, got)
		}
		alone, err := entries[i].Language.Parse(entries[i].Content)
		if err != nil {
			t.Fatal(err)
		}
		for n := range alone.Nodes {
			if got, want := chain(tree, part.Node+2+int32(n)), chain(alone, int32(n)); got != want {
				t.Fatalf("node %d of entry %d is %s, want %s", n, i, got, want)
			}
		}
	}
}

func textOf(t *parse.Tree, n int32) string {
	if n < 0 || t.Nodes[n].First == t.Nodes[n].Last {
		return ""
	}
	return string(t.Source[t.Tokens[t.Nodes[n].First].Start:t.Tokens[t.Nodes[n].Last-1].End])
}

func chain(t *parse.Tree, n int32) string {
	var links []string
	for kind, field := range t.Kinds(n) {
		if field != "" {
			kind = field + ": " + kind
		}
		links = append(links, kind)
	}
	return strings.Join(links, " > ")
}

func outline(t *parse.Tree) string {
	var b strings.Builder
	for i := range t.Nodes {
		n := int32(i)
		for p := t.Nodes[n].Parent; p >= 0; p = t.Nodes[p].Parent {
			b.WriteString("  ")
		}
		b.WriteString(chain(t, n))
		if t.IsLeaf(n) {
			b.WriteString(" " + textOf(t, n))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"c++": "cpp", "cxx": "cpp", "cc": "cpp", "C++17": "cpp", "C": "c", ".c": "c", "golang": "go", "py": "python",
		"js": "javascript", "ts": "typescript", "rs": "rust", "rb": "ruby", "c#": "csharp", "cs": "csharp",
		"smtlib": "smt2", "text": "lines", "shell": "bash", "sh": "bash", "ll": "llvm", "kt": "kotlin", "md": "markdown",
		"": "", ".": "", "klingon": "", "#": "", "dockerfile": "dockerfile",
	} {
		if l, ok := Find(name); l.Name != want || ok != (want != "") {
			t.Errorf("%q is %q, want %q", name, l.Name, want)
		}
	}
	for name, want := range map[string]string{
		"a.c": "c", "a.C": "cpp", "a.h": "c", "a.H": "cpp", "a.CPP": "cpp", "A.PY": "python", "C": "structure",
	} {
		if l := ForFile(name); l.Name != want {
			t.Errorf("%s is read as %q, want %q", name, l.Name, want)
		}
	}
	for _, l := range table { // each name finds its own language
		if found, _ := Find(l.Name); found.Name != l.Name {
			t.Errorf("%q is %q", l.Name, found.Name)
		}
	}
	for line := range strings.Lines(aliases) {
		if words := strings.Fields(line); words[0] != "#" {
			if l, ok := Find(words[0]); !ok || l.Name != words[0] {
				t.Errorf("there is no language %q", words[0])
			}
		}
	}
}
