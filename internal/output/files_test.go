package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whittle/oracle"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/parse/text"
)

var reader = Reader{
	Language: func(string, []byte) parse.Language { return text.Lines },
	Skip:     func(_ string, info fs.FileInfo) bool { return info.Name() == "skipped" },
}

// build makes files, and directories for names with a final slash.
func build(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		err := os.MkdirAll(path, 0o755)
		if !strings.HasSuffix(name, "/") {
			err = errors.Join(os.Remove(path), os.WriteFile(path, []byte(name), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func paths(entries []archive.Entry) string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Path)
	}
	return strings.Join(all, " ")
}

func TestNames(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "here/a.c", "here/src/b.c", "here/src/.git/config", "here/src/skipped", "here/d/e/f.c", "there/g.c")
	t.Chdir(filepath.Join(dir, "here"))
	for _, tt := range []struct{ args, want string }{
		{"a.c src/b.c", "a.c src/b.c"},
		{"./d//e/ a.c", "d/e d/e/f.c a.c"},
		{".", "a.c d d/e d/e/f.c src src/b.c"},
		{"../there/g.c", "g.c"},
		{"../there src", "there there/g.c src src/b.c"},
		{dir + "/there a.c", "there there/g.c a.c"},
		{"../here", "here here/a.c here/d here/d/e here/d/e/f.c here/src here/src/b.c"},
		{"d src/../a.c", "d d/e d/e/f.c a.c"},
	} {
		tree, err := reader.Read(strings.Fields(tt.args))
		if got := paths(tree.Entries); err != nil || got != tt.want {
			t.Errorf("%s: %s, error %v; want %s", tt.args, got, err, tt.want)
		}
	}
	tree, err := reader.Read([]string{"src"})
	if want := "[src/.git src/skipped]"; fmt.Sprint(tree.Skipped) != want || err != nil {
		t.Errorf("left out %v, error %v", tree.Skipped, err)
	}
	for _, args := range []string{"a.c ./a.c", "a.c ../here/a.c", "d d/e", "src .",
		"../there/g.c " + dir + "/there/g.c", "none", "/"} {
		if tree, err := reader.Read(strings.Fields(args)); err == nil {
			t.Errorf("%s: %s, and no error", args, paths(tree.Entries))
		}
	}
}

// Files under checksums go only with their directory.
func TestSealed(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "a.c", "vendor/m/sums", "vendor/m/src/b.c", "vendor/n/c.c")
	t.Chdir(dir)
	r := reader
	r.Sealed = func(name string, _ []byte) parse.Language {
		if name == "sums" {
			return text.Whole
		}
		return nil
	}
	tree, err := r.Read([]string{"a.c", "vendor"})
	if err != nil {
		t.Fatal(err)
	}
	set := archive.New(tree.Entries)
	parsed, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	var goes []string // parts that may be deleted
	for _, p := range parsed.Parts {
		for n := p.Node; n < parsed.Nodes[p.Node].Next; n++ {
			if parsed.Nodes[n].Slot.Droppable() && (n == p.Node || !parsed.IsPart(n) && !parsed.IsDirectory(p.Node)) {
				goes = append(goes, p.Path)
				break
			}
		}
	}
	if got, want := strings.Join(goes, " "), "a.c vendor vendor/m vendor/n vendor/n/c.c"; got != want {
		t.Errorf("%s may be deleted or changed, want %s", got, want)
	}
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		link, target string
		stays        bool
	}{
		{"x", "a.c", true}, {"x", "sub", true}, {"x", "none", true}, {"x", "x", true},
		{"sub/x", "../a.c", true}, {"x", "a.c/below", true},
		{"sub/x", "../../top/a.c", false}, {"x", "..", false}, {"x", "/etc", false},
		{"x", "none/../../a", false}, {"sub/x", "deep/../../../y", false},
		{"sub/x", "to/../../a.c", false}, // by way of another link
	} {
		top := filepath.Join(t.TempDir(), "top")
		build(t, top, "a.c", "sub/deep/")
		err := errors.Join(os.Symlink("..", filepath.Join(top, "sub", "to")),
			os.Symlink(tt.target, filepath.Join(top, tt.link)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reader.Read([]string{top}); (err == nil) != tt.stays {
			t.Errorf("%s -> %s: error %v", tt.link, tt.target, err)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	build(t, from, "a.c", "sub/b.c", "locked/c.c", "empty/", "nothing")
	err := errors.Join(os.Truncate(filepath.Join(from, "nothing"), 0),
		os.Symlink("../a.c", filepath.Join(from, "sub", "link")),
		os.Chmod(filepath.Join(from, "a.c"), 0o750), os.Chmod(filepath.Join(from, "locked", "c.c"), 0o400),
		os.Chmod(filepath.Join(from, "locked"), 0o500))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // for those whom permissions stop
		os.Chmod(filepath.Join(from, "locked"), 0o700)
		os.Chmod(filepath.Join(to, "locked"), 0o700)
	})
	t.Chdir(from)
	tree, err := reader.Read([]string{"."})
	if err != nil {
		t.Fatal(err)
	}
	build(t, to, "old", "sub/old")
	build(t, dir, ".to.whittle/next/of a killed run", ".to.whittle/orig")
	place := claim(t, to, true)
	place.ours = place.present(1000)
	for range 2 {
		if err := place.Put(tree.Entries); err != nil {
			t.Fatal(err)
		}
		t.Chdir(to)
		again, err := reader.Read([]string{"."})
		if err != nil || len(again.Entries) != len(tree.Entries) {
			t.Fatalf("%s, error %v", paths(again.Entries), err)
		}
		for i, e := range again.Entries {
			if want := tree.Entries[i]; e.Path != want.Path || e.Mode != want.Mode || e.Link != want.Link ||
				string(e.Content) != string(want.Content) {
				t.Errorf("%+v, want %+v", e, want)
			}
		}
	}
	other := []archive.Entry{{Path: ".", Mode: fs.ModeDir | 0o710}, {Path: "x/y", Mode: 0o600}}
	if err := errors.Join(place.Put(other), place.release()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(to)
	if err != nil || info.Mode().Perm() != 0o710 {
		t.Errorf("%v, error %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("there are %v, error %v", left, err)
	}
}

func TestWriteStaysInside(t *testing.T) {
	for _, entries := range [][]archive.Entry{
		{{Path: "../x", Mode: 0o600}},
		{{Path: "up", Mode: fs.ModeSymlink, Link: ".."}, {Path: "up/x", Mode: 0o600}},
	} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		build(t, dir, "./")
		if err := oracle.WriteFiles(dir, asFiles(entries)); err == nil {
			t.Errorf("no error for %s", paths(entries))
		}
		if _, err := os.Stat(filepath.Join(dir, "..", "x")); err == nil {
			t.Errorf("%s was written outside", paths(entries))
		}
	}
}
