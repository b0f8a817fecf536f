package parse_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/archive"
)

// Each name is found at its place in candidates at random, in a file and in the second file of an archive.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "int\tname%d%c", i, " \n"[r.IntN(2)])
		if r.IntN(3) > 0 {
			fmt.Fprintf(&b, "= %d", i)
		}
		b.WriteString(";\n\n"[:1+r.IntN(3)])
	}
	c, _ := grammars.Find("c")
	set := archive.New([]archive.Entry{
		{Path: "a.c", Content: []byte("int other;\n\n\n"), Language: c}, {Path: "d", Mode: fs.ModeDir},
		{Path: "d/b.c", Content: []byte(b.String()), Language: c},
	})
	for _, source := range [][]byte{[]byte(b.String()), set.Archive()} {
		parsed := c.Parse
		if several := len(source) > b.Len(); several {
			parsed = set.Parse
		}
		tree, err := parsed(source)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			var gone []int32
			base := parse.Whole(tree)
			for n := range int32(len(tree.Nodes)) {
				if tree.Nodes[n].Slot.Droppable() && tree.Is(n, "declaration") && r.IntN(4) == 0 {
					gone = append(gone, n)
				}
			}
			got := base.Drop(gone...)
			file := string(got.Render())
			if tree.Parts != nil {
				entries, err := set.Entries(got.Render())
				if err != nil {
					t.Fatal(err)
				}
				file = string(entries[len(entries)-1].Content)
			}
			places := got.Places("b.c")
			for i := range 100 {
				name := fmt.Sprintf("name%d", i)
				for number, line := range strings.Split(file, "\n") {
					column := strings.Index(line+" ", name+" ")
					if column < 0 {
						continue
					}
					token := tree.Tokens[max(places(number+1, column+1), 0)]
					if text := string(tree.Source[token.Start:token.End]); text != name {
						t.Fatalf("%d:%d is %q, want %q, in\n%s", number+1, column+1, text, name, file)
					}
				}
			}
		}
	}
}

// Directories tell files of the same name apart.
func TestPlacesInDirectories(t *testing.T) {
	c, _ := grammars.Find("c")
	var entries []archive.Entry
	for _, name := range []string{"a/m.c", "b/a/m.c", "b/m.c", "n.c"} {
		entries = append(entries, archive.Entry{Path: name, Content: []byte("int " + string(rune('s'+len(entries))) + ";\n"), Language: c})
	}
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	whole := parse.Whole(tree)
	for file, want := range map[string]string{
		"b/a/m.c": "t", "x/b/a/m.c": "t", "b/m.c": "u", "m.c": "s", "n.c": "v", "other.c": "s",
	} {
		token := tree.Tokens[whole.Places(file)(1, 5)]
		if got := string(tree.Source[token.Start:token.End]); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// The text that a language derives, and comments, do not move places.
func TestPlacesOfDerived(t *testing.T) {
	l, _ := grammars.Find("rust")
	tree, err := l.Parse([]byte("fn a() -> u8 {\n    1\n}\nmod c {\n    x!();\n}\n// fn b c d\nfn d() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var gone []int32
	for n := range int32(len(tree.Nodes)) {
		if tree.Is(n, "integer_literal") || tree.Is(n, "macro_invocation") {
			gone = append(gone, n)
		}
	}
	c := parse.Whole(tree).Drop(gone...)
	places := c.Places("a.rs")
	for number, line := range strings.Split(string(c.Render()), "\n") {
		column := max(strings.Index(line, "mod c")+1, strings.Index(line, "fn d")+1)
		if column == 0 {
			continue
		}
		token := tree.Tokens[places(number+1, column)]
		if text := string(tree.Source[token.Start:token.End]); !strings.HasPrefix(line[column-1:], text) {
			t.Errorf("%d:%d is %q in\n%s", number+1, column, text, c.Render())
		}
	}
}
