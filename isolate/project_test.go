package isolate

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/archive"
)

// entry makes a file, a link (content "-> target") or a directory (a path that ends in /).
func entry(path, content string) archive.Entry {
	if name, isDir := strings.CutSuffix(path, "/"); isDir {
		return archive.Entry{Path: name, Mode: fs.ModeDir | 0o755}
	}
	if link, isLink := strings.CutPrefix(content, "-> "); isLink {
		return archive.Entry{Path: path, Mode: fs.ModeSymlink | 0o777, Link: link}
	}
	path, executable := strings.CutSuffix(path, "*")
	e := archive.Entry{Path: path, Mode: 0o644, Content: []byte(content), Language: grammars.ForFile(path)}
	if executable {
		e.Mode = 0o755
	}
	return e
}

func entries(files map[string]string) (list []archive.Entry) {
	for path, content := range files {
		list = append(list, entry(path, content))
	}
	slices.SortFunc(list, func(a, b archive.Entry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func project(t *testing.T, old, new map[string]string, finest string) (*Project, *Changes) {
	t.Helper()
	lines, _ := grammars.Find("lines")
	p, err := NewProject(entries(old), entries(new), func(e archive.Entry) (parse.Language, error) {
		switch {
		case bytes.IndexByte(e.Content, 0) >= 0:
			return nil, nil
		case finest == "token":
			return e.Language, nil
		}
		return lines, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, p.Changes(finest)
}

func shown(t *testing.T, p *Project, content []byte) string {
	t.Helper()
	found, err := p.Set.Entries(content)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	slices.SortFunc(found, func(a, b archive.Entry) int { return strings.Compare(a.Path, b.Path) })
	for _, e := range found {
		fmt.Fprintf(&b, "%v %s %q %q\n", e.Mode, e.Path, e.Link, e.Content)
	}
	return b.String()
}

func listed(files map[string]string) string {
	var b strings.Builder
	for _, e := range entries(files) {
		fmt.Fprintf(&b, "%v %s %q %q\n", e.Mode, e.Path, e.Link, e.Content)
	}
	return b.String()
}

// Without changes a project is the old version, with all changes the new one.
func TestProjectEnds(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new map[string]string
		groups   int // hunks
	}{
		{"a hunk", map[string]string{"a.c": "int a;\nint b;\n"}, map[string]string{"a.c": "int a;\nint c;\n"}, 1},
		{"two hunks", map[string]string{"a": "1\n2\n3\n"}, map[string]string{"a": "0\n2\n4\n"}, 2},
		{"added", map[string]string{"b": "b\n"}, map[string]string{"a": "1\n2\n", "b": "b\n"}, 1},
		{"removed", map[string]string{"a": "1\n2\n", "b": "b\n"}, map[string]string{"b": "b\n"}, 1},
		{"renamed", map[string]string{"a": "1\n2\n"}, map[string]string{"b": "1\n2\n"}, 1},
		{"renamed, and another line", map[string]string{"a": "1\n2\n3\n4\n"}, map[string]string{"b": "1\n2\n3\n5\n"}, 2},
		{"permissions", map[string]string{"a": "1\n"}, map[string]string{"a*": "1\n"}, 1},
		{"permissions and a line", map[string]string{"a": "1\n"}, map[string]string{"a*": "2\n"}, 2},
		{"binary", map[string]string{"a": "1\x00\n"}, map[string]string{"a": "2\x00\n"}, 1},
		{"a link", map[string]string{"a": "-> b", "b": ""}, map[string]string{"a": "-> c", "b": ""}, 1},
		{"a file becomes a link", map[string]string{"a": "1\n", "b": ""}, map[string]string{"a": "-> b", "b": ""}, 1},
		{"a file becomes a directory", map[string]string{"a": "1\n"}, map[string]string{"a/b": "2\n"}, 2},
		{"a directory becomes a file", map[string]string{"a/b": "2\n"}, map[string]string{"a": "1\n"}, 2},
		{"an empty file", map[string]string{"b": "1\n"}, map[string]string{"a": "", "b": "1\n"}, 1},
		{"an empty directory", map[string]string{"b": "1\n"}, map[string]string{"a/": "", "b": "1\n"}, 1},
		{"CRLF", map[string]string{"a": "1\r\n2\r\n"}, map[string]string{"a": "1\n2\n"}, 1},
		{"no final line break", map[string]string{"a": "1\n2"}, map[string]string{"a": "1\n2\n"}, 1},
		{"names that exchange", map[string]string{"a": "1\n2\n", "b": "3\n"}, map[string]string{"b": "1\n2\n", "a": "3\n"}, 2},
		{"not UTF-8", map[string]string{"a": "\xff\n"}, map[string]string{"a": "\xfe\n"}, 1},
	} {
		p, changes := project(t, c.old, c.new, "hunk")
		if got, want := shown(t, p, changes.Make(nil)), listed(c.old); got != want {
			t.Errorf("%s: without changes\n%swant\n%s", c.name, got, want)
		}
		if got, want := shown(t, p, changes.All()), listed(c.new); got != want {
			t.Errorf("%s: with all changes\n%swant\n%s", c.name, got, want)
		}
		if n := len(changes.Levels[len(changes.Levels)-1].Groups); n != c.groups {
			t.Errorf("%s: %d groups, want %d", c.name, n, c.groups)
		}
		for _, finest := range []string{"line", "token"} {
			_, changes := project(t, c.old, c.new, finest)
			partition(t, c.name, changes)
		}
	}
}

// partition checks that each change is in one group of each level.
func partition(t *testing.T, name string, c *Changes) {
	t.Helper()
	for _, l := range c.Levels {
		var all []int
		for _, g := range l.Groups {
			if !slices.IsSorted(g) || len(g) == 0 {
				t.Errorf("%s: level %s has the group %v", name, l.Name, g)
			}
			all = append(all, g...)
		}
		if slices.Sort(all); !slices.Equal(all, algo.All(c.Count)) {
			t.Errorf("%s: level %s has the changes %v of %d", name, l.Name, all, c.Count)
		}
	}
}

func TestPossible(t *testing.T) {
	p, changes := project(t, map[string]string{"a": "1\n"}, map[string]string{"a/b": "2\n"}, "hunk")
	for _, c := range []struct {
		made []int
		want bool
	}{{[]int{}, true}, {[]int{0, 1}, true}, {[]int{0}, true}, {[]int{1}, false}} {
		var files []string
		for _, e := range p.With(c.made) {
			files = append(files, e.Path)
		}
		if got := changes.possible(c.made); got != c.want {
			t.Errorf("changes %v: %v, files %v", c.made, got, files)
		}
	}
}

// All versions between two random ones can be read.
func TestRandomProjects(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some := func() map[string]string {
		files := map[string]string{"keep": "k\n"}
		for _, name := range []string{"a", "b", "c*", "d/e", "f.c", "g.py"} {
			var text strings.Builder
			for range r.IntN(6) {
				text.WriteString([]string{"x = 1\n", "y\n", "\n", "if x:\n    y()\n", "int a;\n", "z\r\n", "\t(\n"}[r.IntN(7)])
			}
			if r.IntN(4) > 0 {
				files[name] = text.String()
			}
		}
		return files
	}
	for range 200 {
		old, new := some(), some()
		p, changes := project(t, old, new, []string{"hunk", "line", "token"}[r.IntN(3)])
		if got, want := shown(t, p, changes.Make(nil)), listed(old); got != want {
			t.Fatalf("without changes\n%swant\n%s", got, want)
		}
		if got, want := shown(t, p, changes.All()), listed(new); got != want {
			t.Fatalf("with all changes\n%swant\n%s", got, want)
		}
		partition(t, "random", changes)
		var made []int
		for i := range changes.Count {
			if r.IntN(2) == 0 {
				made = append(made, i)
			}
		}
		shown(t, p, changes.Make(made))
	}
}

func TestNeeds(t *testing.T) {
	p, changes := project(t,
		map[string]string{"a.c": "int f;\nint x;\nint u;\n", "b.c": "a = gone;\nb\n", "c.c": "int gone;\nc\n"},
		map[string]string{"a.c": "int f;\nint x = added;\nint u;\n", "b.c": "a = 1;\nb\n", "c.c": "int added;\nc\n"}, "hunk")
	p.Needs(changes, func(e archive.Entry) (names []Name) {
		for at, word := range map[int]string{
			bytes.Index(e.Content, []byte("added")): "added", bytes.Index(e.Content, []byte("gone")): "gone",
		} {
			if at >= 0 {
				names = append(names, Name{word, at, e.Path == "c.c"})
			}
		}
		return names
	})
	if got, want := fmt.Sprint(changes.Levels[1].Needs), "[[2] [] [1]]"; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
