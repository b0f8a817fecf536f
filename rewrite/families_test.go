package rewrite_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/rewrite"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Changes that are not better or have more syntax errors are marked in testdata/NAME.txtar.
func TestFamilies(t *testing.T) {
	for _, family := range rewrite.Families() {
		t.Run(family.Name, func(t *testing.T) {
			path := filepath.Join("testdata", family.Name+".txtar")
			golden, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := txtar.Archive{Comment: golden.Comment}
			for _, file := range golden.Files {
				if strings.HasSuffix(file.Name, ".changes") {
					continue
				}
				got.Files = append(got.Files, file,
					txtar.File{Name: file.Name + ".changes", Data: []byte(changesIn(t, family, file.Name, file.Data))})
			}
			want, _ := os.ReadFile(path)
			if text := txtar.Format(&got); string(text) != string(want) {
				if !*update {
					t.Fatalf("%s is stale (-update): \n%s", path, text)
				}
				if err := os.WriteFile(path, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func changesIn(t *testing.T, family rewrite.Family, name string, source []byte) string {
	language, text := read(name, &source)
	tree, err := language.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	base := parse.Whole(tree)
	for i, change := range family.Find(rewrite.NewFile(tree)) {
		c := change.Apply(base)
		if c == nil {
			t.Fatalf("%s: change %d cannot be applied to the file itself", name, i)
		}
		marks := ""
		if !c.Measure().Less(base.Measure()) {
			marks += ", no better"
		}
		if more := language.Errors(c.Render()) - tree.Errors; more > 0 {
			marks += fmt.Sprintf(", %d more errors", more)
		}
		fmt.Fprintf(&out, "# %d: %d tokens%s\n%s", i+1, c.Weight(), marks, text(c.Render()))
	}
	return out.String()
}

// read makes an archive of several files, marked as in == a.c ==, and directories, as in == d/ ==. The function in its
// result shows texts.
func read(name string, source *[]byte) (parse.Language, func(text []byte) []byte) {
	if !strings.HasSuffix(name, ".several") {
		return grammars.ForFile(name), func(text []byte) []byte { return text }
	}
	var entries []archive.Entry
	for _, file := range strings.Split(string(*source), "\n== ") {
		path, content, _ := strings.Cut(strings.TrimPrefix(file, "== "), " ==\n")
		if dir, is := strings.CutSuffix(path, "/"); is {
			entries = append(entries, archive.Entry{Path: dir, Mode: fs.ModeDir | 0o777})
			continue
		}
		content = strings.TrimSuffix(content, "\n") + "\n"
		reading := grammars.NewReading(grammars.ForFile(path), path, []byte(content), nil)
		entries = append(entries, archive.Entry{Path: path, Content: []byte(content), Language: reading})
	}
	set := archive.New(entries)
	*source = set.Archive()
	return set, func(archive []byte) (text []byte) {
		entries, err := set.Entries(archive)
		if err != nil {
			return []byte(err.Error() + "\n")
		}
		for _, e := range entries {
			if !e.Mode.IsDir() {
				text = fmt.Appendf(text, "== %s ==\n%s", e.Path, e.Content)
			}
		}
		return text
	}
}

func TestFamiliesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/rewriting.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range rewrite.Families() {
		if !strings.Contains(string(page), "\n| `"+family.Name+"` | ") {
			t.Errorf("docs/rewriting.md has no entry for %s", family.Name)
		}
	}
}
