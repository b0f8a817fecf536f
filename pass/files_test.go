package pass_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/pass"
)

// asked returns the candidates of the passes on a project, with the sizes of their files. The first are of Unread.
func asked(
	t *testing.T, read string, interesting func(files map[string]int) bool, clues ...string,
) (all []map[string]int, unread int) {
	t.Helper()
	var entries []archive.Entry
	for _, path := range strings.Fields("Makefile docs/ docs/a.txt docs/b.txt l@ src/ src/gen/ src/gen/x.c src/gen/y.c " +
		"src/m.c src/n.c src/o.c src/o.json test/ test/t.c") {
		e := archive.Entry{Path: strings.TrimRight(path, "/@"), Mode: 0o644, Content: []byte("int a, b;\n"),
			Language: grammars.ForFile("x.c")}
		if strings.HasSuffix(path, ".json") { // never empty
			e.Content, e.Language = []byte("[{}, {}]\n\n"), grammars.ForFile(path)
		}
		if strings.HasSuffix(path, "/") {
			e.Mode, e.Content, e.Language = fs.ModeDir|0o755, nil, nil
		} else if strings.HasSuffix(path, "@") {
			e.Mode, e.Content, e.Language, e.Link = fs.ModeSymlink|0o777, nil, nil, "src"
		}
		entries = append(entries, e)
	}
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	before := pass.Unread(func(paths []string) map[string]bool {
		found := map[string]bool{}
		for _, path := range paths {
			if slices.Contains(strings.Fields(read), path) {
				found[path] = true
			}
		}
		return found
	})
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64}, Clues: clues}
	gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool { return set.Errors(c.Render()) == 0 }}
	best := tree.Source
	question := func(c *parse.Candidate) bool {
		entries, err := set.Entries(c.Render())
		if err != nil {
			t.Fatal(err)
		}
		candidate := map[string]int{}
		for _, e := range entries {
			candidate[e.Path] = len(e.Content)
		}
		all = append(all, candidate)
		if interesting(candidate) {
			best = c.Render()
			return true
		}
		return false
	}
	ask(before.Search(tree, gate, plan), question)
	unread = len(all)
	if tree, err = set.Parse(best); err != nil {
		t.Fatal(err)
	}
	ask(pass.Files().Search(tree, gate, plan), question)
	return all, unread
}

func TestFiles(t *testing.T) {
	const read = "Makefile src/m.c src/gen/x.c"
	is := func(files map[string]int, want string) {
		t.Helper()
		if got := fmt.Sprint(files); got != want {
			t.Errorf("asked for %s, want %s", got, want)
		}
	}
	only := "map[Makefile:10 l:0 src:0 src/gen:0 src/gen/x.c:10 src/m.c:10]"
	all, _ := asked(t, read, func(files map[string]int) bool { return files["src/m.c"] > 0 && files["src/gen/x.c"] > 0 })
	is(all[0], only)
	for _, files := range all[1:] {
		if _, there := files["src/n.c"]; there {
			t.Errorf("asked for a file that is not read: %v", files)
		}
	}

	// An unread file must exist. All are empty first, then all others go.
	last := 0
	all, unread := asked(t, read, func(files map[string]int) bool {
		_, there := files["src/n.c"]
		there = there && files["Makefile"]+files["src/m.c"]+files["src/gen/x.c"] == 30
		if there {
			last = len(files)
		}
		return there
	})
	is(all[0], only)
	is(all[1], "map[Makefile:10 docs:0 docs/a.txt:0 docs/b.txt:0 l:0 src:0 src/gen:0 src/gen/x.c:10 src/gen/y.c:0 "+
		"src/m.c:10 src/n.c:0 src/o.c:0 test:0 test/t.c:0]")
	if last != 6 || unread != 2 {
		t.Errorf("%d entries stay, want 6; %d questions about unread files, want 2", last, unread)
	}

	// A neighbour is read by other candidates.
	all, _ = asked(t, read, func(files map[string]int) bool { return files["src/n.c"] > 0 })
	is(all[2], "map[Makefile:10 docs:0 docs/a.txt:0 docs/b.txt:0 l:0 src:0 src/gen:0 src/gen/x.c:10 src/gen/y.c:10 "+
		"src/m.c:10 src/n.c:10 src/o.c:10 src/o.json:10 test:0 test/t.c:0]")
}

// Without knowledge of the read files, whole files and directories go.
func TestFilesUnknown(t *testing.T) {
	all, _ := asked(t, "", func(files map[string]int) bool { return files["src/m.c"] > 0 })
	best := len(all[0])
	for _, files := range all {
		if _, there := files["src/m.c"]; there {
			best = min(best, len(files))
		}
		for path, size := range files {
			if size == 0 && strings.HasSuffix(path, ".c") {
				t.Fatalf("%s is empty", path)
			}
		}
	}
	if best != 2 {
		t.Errorf("%d entries stay, want src and src/m.c", best)
	}
	if tree, _ := grammars.ForFile("x.c").Parse([]byte("int a;")); pass.Files().Search(tree, pass.Gate{}, pass.Plan{}) != nil {
		t.Error("asks about a single file")
	}
}

// The files that the failure names come first, with files of other kinds. The others go, or become empty.
func TestFilesNamed(t *testing.T) {
	clues := []string{"@m.c:3:1 f", ">src/gen/x.c:5", "- g"}
	for at, want := range []string{
		"map[Makefile:10 docs:0 docs/a.txt:10 docs/b.txt:10 l:0 src:0 src/gen:0 src/gen/x.c:10 src/m.c:10 src/o.json:10]",
		"map[Makefile:10 docs:0 docs/a.txt:10 docs/b.txt:10 l:0 src:0 src/gen:0 src/gen/x.c:10 src/gen/y.c:0 src/m.c:10 " +
			"src/n.c:0 src/o.c:0 src/o.json:10 test:0 test/t.c:0]",
	} {
		asks := 0
		all, _ := asked(t, "", func(map[string]int) bool { asks++; return asks > at }, clues...)
		if got := fmt.Sprint(all[at]); got != want || len(all) != at+1 {
			t.Errorf("asked for %s, want %s, and %d others", got, want, len(all)-at-1)
		}
	}
	all, _ := asked(t, "", func(files map[string]int) bool { return files["src/n.c"] > 0 }, clues...)
	if last := all[len(all)-1]; len(all) < 4 || len(last) > 3 {
		t.Errorf("%d candidates, the last is %v", len(all), last)
	}
}

// Empty files go at once, with their mentions.
func TestEmpty(t *testing.T) {
	var entries []archive.Entry
	for path, content := range map[string]string{"a.c": "#include \"e.h\"\nint a;\n", "b.h": "", "d.h": "", "e.h": ""} {
		l := grammars.NewReading(grammars.ForFile(path), path, []byte(content), func(string) {})
		entries = append(entries, archive.Entry{Path: path, Mode: 0o644, Content: []byte(content), Language: l})
	}
	slices.SortFunc(entries, func(a, b archive.Entry) int { return strings.Compare(a.Path, b.Path) })
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64}}
	left, tests := "", 0
	ask(pass.Empty().Search(tree, pass.Gate{}, plan), func(c *parse.Candidate) bool {
		tests++
		left = ""
		found, _ := set.Entries(c.Render())
		for _, e := range found {
			left += e.Path + ": " + string(e.Content)
		}
		return strings.Contains(left, "b.h")
	})
	if want := "a.c: int a;\nb.h: "; left != want || tests > 6 {
		t.Errorf("%d tests leave %q, want %q", tests, left, want)
	}
}
