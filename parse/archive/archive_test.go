package archive_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/parse/text"
)

type counting struct {
	parse.Language
	asked *int
}

func (c counting) Errors(text []byte) int {
	*c.asked++
	return c.Language.Errors(text)
}

func file(path, content string) archive.Entry {
	if strings.HasSuffix(path, ".lines") { // weights differ from 1
		lines, _ := grammars.Find("lines")
		return archive.Entry{Path: path, Mode: 0o644, Content: []byte(content), Language: lines}
	}
	return archive.Entry{Path: path, Mode: 0o644, Content: []byte(content), Language: grammars.ForFile(path)}
}

func dir(path string) archive.Entry { return archive.Entry{Path: path, Mode: fs.ModeDir | 0o755} }

func parsed(tb testing.TB, l parse.Language, source []byte) *parse.Tree {
	tb.Helper()
	tree, err := l.Parse(source)
	if err != nil {
		tb.Fatal(err)
	}
	return tree
}

func render(tb testing.TB, s *archive.Set, c *parse.Candidate) map[string]string {
	tb.Helper()
	entries, err := s.Entries(c.Render())
	if err != nil {
		tb.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		files[e.Path] = string(e.Content)
	}
	return files
}

var odd = []string{"", "\n", " \n\t", "x", "\x00\xff", "\ufeffint a;\r\n", "int f( {\n", "a\n\n  ",
	"  x = 1\n  y = 2\n"}

var contents = map[string]string{
	"a.c":     "#include \"b.h\"\r\nint f(int x) {\r\n\treturn (x + 1) * g(2); // c\r\n}\r\n\r\n\r\n",
	"b.py":    "def f(a):\n    if a:\n        for b in a:\n            g(b)\n    return 1\n",
	"c.xml":   "<a xmlns:p=\"q\">\n  <p:b c=\"1\"/>\n  <d>text</d>\n</a>\n",
	"d.json":  "{\"a\": [1, 2, {\"b\": null}],\n \"c\": \"d\"}",
	"e.txt":   "one (two, three)\n  four = five; six\n\nseven\n",
	"h.lines": "one two\n\nthree four five\n",
	"g.php":   "<html><?php f($a); g(); ?>\ntext\n",
}

// Edits have the same result as for the file alone, and leave the other files unchanged.
func TestAsAlone(t *testing.T) {
	for path, content := range contents {
		for i, other := range odd {
			set := archive.New([]archive.Entry{file("before.c", other), dir("d"), file("d/"+path, content),
				file("d/behind.py", odd[len(odd)-1-i]), dir("empty")})
			asAlone(t, set, "d/"+path)
		}
	}
}

func asAlone(tb testing.TB, set *archive.Set, path string) {
	tb.Helper()
	entries, err := set.Entries(set.Archive())
	if err != nil {
		tb.Fatal(err)
	}
	tree := parsed(tb, set, set.Archive())
	whole := parse.Whole(tree)
	if !bytes.Equal(whole.Render(), set.Archive()) {
		tb.Fatalf("%q became %q", set.Archive(), whole.Render())
	}
	wellFormed(tb, tree)
	i := slices.IndexFunc(entries, func(e archive.Entry) bool { return e.Path == path })
	e, node := entries[i], tree.Parts[i].Node+2
	alone := parsed(tb, e.Language, e.Content)
	others := render(tb, set, whole)
	delete(others, path)
	compare := func(what string, in, by *parse.Candidate) {
		tb.Helper()
		files := render(tb, set, in)
		if files[path] != string(by.Render()) {
			tb.Fatalf("%s in %s: %q, but alone %q", what, path, files[path], by.Render())
		}
		if whole.Weight()-in.Weight() != parse.Whole(alone).Weight()-by.Weight() {
			tb.Fatalf("%s in %s: weights differ", what, path)
		}
		for other, content := range others {
			if files[other] != content {
				tb.Fatalf("%s in %s: %s became %q", what, path, other, files[other])
			}
		}
	}
	for n := int32(1); n < int32(len(alone.Nodes)) && n < 100; n++ {
		m := n + node
		compare("drop", whole.Drop(m), parse.Whole(alone).Drop(n))
		compare("prune", whole.Prune(m), parse.Whole(alone).Prune(n))
		if p := alone.Nodes[n].Parent; p > 0 {
			compare("hoist", whole.Hoist(p+node, m), parse.Whole(alone).Hoist(p, n))
			if tree.Replaceable(p+node, m) != alone.Replaceable(p, n) {
				tb.Fatalf("%s: node %d fits in one only", path, n)
			}
		}
		base, near := parse.Near(whole, whole.Drop(m))
		aloneBase, aloneNear := parse.Near(parse.Whole(alone), parse.Whole(alone).Drop(n))
		for _, pair := range [][2]*parse.Candidate{{base, aloneBase}, {near, aloneNear}} {
			if files := render(tb, set,
				pair[0]); len(files) > 2 || files[path] != string(pair[1].Render()) { // the directory stays
				tb.Fatalf("near node %d of %s are %q, but alone %q", n, path, files, pair[1].Render())
			}
		}
	}
}

func wellFormed(tb testing.TB, tree *parse.Tree) {
	tb.Helper()
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Next <= int32(i) || int(n.Next) > len(tree.Nodes) || n.First > n.Last || int(n.Last) > len(tree.Tokens) {
			tb.Fatalf("node %d is %+v", i, *n)
		}
		first := n.First
		for c := int32(i) + 1; c < n.Next; c = tree.Nodes[c].Next {
			if tree.Nodes[c].Parent != int32(i) || tree.Nodes[c].First != first {
				tb.Fatalf("child %d of node %d is %+v; tokens before it end at %d", c, i, tree.Nodes[c], first)
			}
			first = tree.Nodes[c].Last
		}
		if n.Next > int32(i)+1 && first != n.Last {
			tb.Fatalf("the children of node %d end at token %d, it at %d", i, first, n.Last)
		}
	}
	for i, token := range tree.Tokens {
		if token.End <= token.Start || i > 0 && token.Start < tree.Tokens[i-1].End {
			tb.Fatalf("token %d is %v", i, token)
		}
	}
}

func TestShape(t *testing.T) {
	link := archive.Entry{Path: "d/l", Mode: fs.ModeSymlink | 0o777, Link: "x.c"}
	set := archive.New([]archive.Entry{file("a.c", "int a;\n"), dir("d"), file("d/x.c", "int x;\n"), link, dir("d/e"),
		file("d/e/y.c", "int y;"), file("z.c", "")})
	whole := parse.Whole(parsed(t, set, set.Archive()))
	if got := whole.Weight(); got != 3*3+7 {
		t.Errorf("the tree weighs %d", got)
	}
	top := whole.Items(0)
	if len(top) != 3 {
		t.Fatalf("%d things at the top", len(top))
	}
	for _, tt := range []struct {
		c    *parse.Candidate
		want string
	}{
		{whole, `map[a.c:int a;
 d: d/e: d/e/y.c:int y; d/l: d/x.c:int x;
 z.c:]`},
		{whole.Drop(top[1]), "map[a.c:int a;\n z.c:]"},
		{whole.Drop(top[0], top[2]), "map[d: d/e: d/e/y.c:int y; d/l: d/x.c:int x;\n]"},
		{whole.Drop(whole.Items(top[0])...), "map[a.c: d: d/e: d/e/y.c:int y; d/l: d/x.c:int x;\n z.c:]"},
		{whole.Drop(whole.Items(top[1])[0], whole.Items(top[1])[1]), "map[a.c:int a;\n d: d/e: d/e/y.c:int y; z.c:]"},
		{whole.Drop(whole.Items(top[1])...), "map[a.c:int a;\n d: z.c:]"},
		{whole.Drop(top...), "map[]"},
	} {
		if got := fmt.Sprint(render(t, set, tt.c)); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
		again := parse.Whole(parsed(t, set, tt.c.Render()))
		if !bytes.Equal(again.Render(), tt.c.Render()) || again.Weight() != tt.c.Weight() {
			t.Errorf("%q weighs %d, and when read again %d", tt.c.Render(), tt.c.Weight(), again.Weight())
		}
	}
	entries, err := set.Entries(whole.Drop(top[0]).Render())
	if err != nil || len(entries) != 6 || entries[2].Link != "x.c" || entries[2].Mode != link.Mode {
		t.Errorf("%v, error %v", entries, err)
	}
}

func TestNoArchive(t *testing.T) {
	set := archive.New([]archive.Entry{file("a.c", "int a;\n"), dir("d")})
	other := archive.New([]archive.Entry{file("a.c", "int a;\n"), dir("e")})
	for _, archive := range []string{
		"x", "x" + string(set.Archive()), string(other.Archive()), string(set.Archive()) + "x",
		string(set.Archive()[:len(set.Archive())-1]), strings.Replace(string(set.Archive()), " 0\n", " 2\n",
			1), strings.Replace(string(set.Archive()), " 0\n", " -1\n", 1),
	} {
		if _, err := set.Parse([]byte(archive)); err == nil {
			t.Errorf("no error for %q", archive)
		}
		if _, err := set.Entries([]byte(archive)); err == nil {
			t.Errorf("no error for %q", archive)
		}
	}
}

func TestErrors(t *testing.T) {
	asked := 0
	c := counting{grammars.ForFile("x.c"), &asked}
	set := archive.New([]archive.Entry{{Path: "a.c", Content: []byte("int f( {"), Language: c},
		{Path: "b.c", Content: []byte("int a;"), Language: c}})
	tree := parsed(t, set, set.Archive())
	if n := set.Errors(set.Archive()); n == 0 || n != tree.Errors {
		t.Errorf("%d errors, but %d in the tree", n, tree.Errors)
	}
	if n := set.Errors(parse.Whole(tree).Drop(1).Render()); n != 0 || asked != 2 {
		t.Errorf("%d errors after %d files", n, asked)
	}
}

func FuzzAsAlone(f *testing.F) {
	for path, content := range contents {
		f.Add(path, content, odd[0], odd[4])
	}
	f.Fuzz(func(t *testing.T, path, content, before, behind string) {
		if contents[path] == "" {
			path = "e.txt"
		}
		if len(content) > 1000 {
			t.Skip("too long to be quick")
		}
		asAlone(t, archive.New([]archive.Entry{file("x.py", before), dir("d"), file("d/"+path, content), file("y.txt",
			behind)}), "d/"+path)
	})
}

func Example() {
	c := grammars.ForFile("x.c")
	set := archive.New([]archive.Entry{
		{Path: "a.h", Mode: 0o644, Content: []byte("int a;\nint b;\n"), Language: c},
		{Path: "a.c", Mode: 0o644, Content: []byte("#include \"a.h\"\n"), Language: c},
	})
	tree, _ := set.Parse(set.Archive())
	header := parse.Whole(tree).Items(0)[0]
	entries, _ := set.Entries(parse.Whole(tree).Drop(header).Render())
	for _, e := range entries {
		fmt.Printf("%s: %s", e.Path, e.Content)
	}
	// Output:
	// a.c: #include "a.h"
}

func TestGather(t *testing.T) {
	set := archive.New([]archive.Entry{dir("d"), file("d/a.txt", "a\n"), file("b.txt", "b\n")})
	archive := set.Gather(func(e archive.Entry) ([]byte, bool) {
		if e.Path == "b.txt" {
			return []byte("less"), true
		}
		return nil, e.Mode.IsDir()
	})
	entries, err := set.Entries(archive)
	if err != nil || len(entries) != 2 || entries[0].Path != "d" || string(entries[1].Content) != "less" {
		t.Errorf("it holds %v, %v", entries, err)
	}
}

func TestEntriesWhole(t *testing.T) {
	names := []string{"empty", "a", "b"}
	set := archive.New([]archive.Entry{
		{Path: "empty", Mode: 0o644, Language: text.Lines},
		{Path: "a", Mode: 0o644, Language: text.Lines, Content: []byte("one\n")},
		{Path: "b", Mode: 0o644, Language: text.Lines, Content: []byte("two\n")},
	})
	variants := []string{"", "one\n", "one\nmore", "on", "two\n", "two\n\x00whittle "}
	for i := range len(variants) * len(variants) * len(variants) {
		want := []string{variants[i%6], variants[i/6%6], variants[i/36]}
		at := -1
		candidate := set.Gather(func(archive.Entry) ([]byte, bool) {
			at++
			return []byte(want[at]), true
		})
		entries, err := set.Entries(candidate)
		if err != nil || len(entries) != 3 {
			t.Fatal(entries, err)
		}
		for k, e := range entries {
			if e.Path != names[k] || string(e.Content) != want[k] {
				t.Errorf("%q: %s has %q", want, e.Path, e.Content)
			}
		}
	}
}

// Edits that follow from deletions are those of each file alone.
func TestDerive(t *testing.T) {
	const content = "package a\n\nimport \"fmt\"\n\nfunc f() {\n\tx := 1\n\tfmt.Print(x)\n}\n"
	set := archive.New([]archive.Entry{file("a.cnf", "p cnf 2 2\n1 0\n2 0\n"), dir("d"), file("d/a.go", content),
		file("d/b.go", content)})
	tree := parsed(t, set, set.Archive())
	c := parse.Whole(tree)
	for n := range int32(len(tree.Nodes)) {
		first := tree.Is(n, "expression_statement") && tree.Around(n) == 2
		if first || tree.Is(n, "clause") && string(c.TextOf(n+1)) == "2" {
			c = c.Drop(n)
		}
	}
	got := render(t, set, c)
	want := map[string]string{"a.cnf": "p cnf 1 1\n1 0\n", "d/a.go": "package a\n\n\n\nfunc f() {\n\t_ = 1\n}\n", "d/b.go": content}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s is %q, want %q", path, got[path], text)
		}
	}
}
