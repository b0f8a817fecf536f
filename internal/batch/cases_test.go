package batch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lay makes files; NAME* is a program.
func lay(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		mode := fs.FileMode(0o644)
		if strings.HasSuffix(name, "*") {
			name, mode = strings.TrimSuffix(name, "*"), 0o755
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Find reads folders of people and fuzzers.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  []string
		layout Layout
		want   []string // input and test, or error
		left   int
	}{
		{name: "a folder per case, as creduce has them",
			files: []string{"a/test.sh*", "a/small.c", "a/case.txt", "b/interesting*", "b/b.c", "README.md", "verify.sh*"},
			want:  []string{"a/small.c a/test.sh", "b/b.c b/interesting"}},
		{name: "what was reduced before is no case",
			files: []string{"a/test.sh*", "a/small.c", "a/small.reduced.c", "a/small.reduced.c.journal", "a/small.other/x/y",
				"a/small.report.md", "a/small.reduced.c.flaky-1.txt"},
			want: []string{"a/small.c a/test.sh"}},
		{name: "what is only called so is one",
			files: []string{"a/test.sh*", "a/small.reduced.c"},
			want:  []string{"a/small.reduced.c a/test.sh"}},
		{name: "crashes of a fuzzer", layout: Layout{Command: true},
			files: []string{"id:000000,sig:11,src:000002,op:havoc,rep:2", "id:000001,sig:06,src:000003,op:havoc,rep:4",
				"id:000001,sig:06,src:000003,op:havoc,rep:4.reduced", "README.txt"},
			want: []string{"id:000000,sig:11,src:000002,op:havoc,rep:2 ", "id:000001,sig:06,src:000003,op:havoc,rep:4 "}},
		{name: "both", layout: Layout{Command: true},
			files: []string{"x.c", "y.c", "y.reduced.c", "z/test.sh*", "z/z.c", "only/o.c", "none/README"},
			want:  []string{"only/o.c ", "x.c ", "y.c ", "z/z.c z/test.sh"}, left: 1},
		{name: "a pattern", layout: Layout{Command: true, Input: []string{"*.c", "*.d"}},
			files: []string{"x.c", "x.sh*", "x.txt", "d/test.sh*", "d/a.c", "d/b.h", "e/test.sh*", "e/b.h"},
			want:  []string{"d/a.c d/test.sh", "e/b.h e/test.sh", "x.c "}},
		{name: "a name for tests", layout: Layout{Test: "check"},
			files: []string{"a/check", "a/x.c", "b/test.sh*", "b/x.c"},
			want:  []string{"a/x.c a/check"}, left: 1},
		{name: "too many, and none",
			files: []string{"a/test.sh*", "a/x.c", "a/y.c", "b/test.sh*", "c/x.c*", "c/test.sh*"},
			want: []string{"a: x.c and y.c may both be what is to be reduced; say which with --input",
				"b: there is no file to reduce beside its test", "c/x.c c/test.sh"}},
		{name: "one case", files: []string{"test.sh*", "x.c", "sub/test.sh*", "sub/y.c"}, want: []string{"x.c test.sh"}},
		{name: "files, and nobody says what fails", files: []string{"x.c", "y.c"}, left: 1},
	} {
		dir := lay(t, c.files...)
		cases, left, err := c.layout.Find([]string{dir})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, x := range cases {
			line := fmt.Sprintf("%s %s", x.Input, x.Test)
			if x.Err != nil {
				line = fmt.Sprintf("%s: %v", x.Name, x.Err)
			} else if info, err := os.Stat(x.Input); err != nil || info.Size() != x.Size {
				t.Errorf("%s: %s has not %d bytes", c.name, x.Input, x.Size)
			}
			got = append(got, strings.ReplaceAll(line, dir+"/", ""))
		}
		if !slices.Equal(got, c.want) || len(left) != c.left {
			t.Errorf("%s: found %q, want %q; left out %q", c.name, got, c.want, left)
		}
	}
}

func TestFindNot(t *testing.T) {
	dir := lay(t, "x.c", "a/x.c", "b/x.c")
	for paths, want := range map[string]string{
		"nothing":   "there is no folder",
		"x.c":       "is a file: say what fails",
		"a/x.c":     "is a file: say what fails",
		"a/x.c+b":   "have the same name",
		"x.c+./x.c": "is there twice",
	} {
		var all []string
		for _, p := range strings.Split(paths, "+") {
			all = append(all, filepath.Join(dir, p))
		}
		l := Layout{Command: strings.Contains(paths, "+")}
		if _, _, err := l.Find(all); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", paths, err, want)
		}
	}
	if _, _, err := (Layout{Input: []string{"["}}).Find(nil); err == nil {
		t.Error("[ is a pattern")
	}
}
