package sidecar

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Names are what they seem to be, or short enough and as different as before.
func TestPath(t *testing.T) {
	if got := With("./a/b.c", ".orig"); got != "a/b.c.orig" {
		t.Error(got)
	}
	seen := map[string]bool{}
	for n := 240; n <= 255; n++ {
		for _, base := range []string{strings.Repeat("x", n), strings.Repeat("ü", n/2), strings.Repeat("x", n-2) + ".c"} {
			for _, suffix := range []string{".orig", ".old", ".journal"} {
				name := With("dir/"+base, suffix)[len("dir/"):]
				if len(name) > 255 || !strings.HasSuffix(name, suffix) || !utf8.ValidString(name) || seen[name] && n%2 == 0 {
					t.Errorf("%d bytes: %q", len(name), name)
				}
				seen[name] = true
			}
		}
	}
	if name := Path("", "a.", strings.Repeat("y", 253)+".reduced"); len(name) > 255 || !strings.HasSuffix(name,
		".reduced") {
		t.Errorf("%q", name)
	}
}

// What is moved aside replaces nothing, nor does a link lead it anywhere.
func TestAside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for i, want := range []string{"a.old", "a.old-2", "a.old-3"} {
		if err := os.Symlink("nowhere", path); err != nil {
			t.Fatal(err)
		}
		if got, err := Aside(path); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%d: %s, %v", i, got, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Error(entries)
	}
	if _, err := Aside(path); !os.IsNotExist(err) {
		t.Error("what is not there was moved: ", err)
	}
}
