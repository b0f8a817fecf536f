package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJoinName(t *testing.T) {
	if got := AddSuffix("./a/b.c", ".orig"); got != "a/b.c.orig" {
		t.Error(got)
	}
	seen := map[string]bool{}
	for n := 240; n <= 255; n++ {
		for _, base := range []string{strings.Repeat("x", n), strings.Repeat("ü", n/2), strings.Repeat("x", n-2) + ".c"} {
			for _, suffix := range []string{".orig", ".old", ".journal"} {
				name := AddSuffix("dir/"+base, suffix)[len("dir/"):]
				if len(name) > 255 || !strings.HasSuffix(name, suffix) || !utf8.ValidString(name) || seen[name] && n%2 == 0 {
					t.Errorf("%d bytes: %q", len(name), name)
				}
				seen[name] = true
			}
		}
	}
	if name := JoinName("", "a.", strings.Repeat("y", 253)+".reduced"); len(name) > 255 || !strings.HasSuffix(name,
		".reduced") {
		t.Errorf("%q", name)
	}
}

func TestMoveAside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for i, want := range []string{"a.old", "a.old-2", "a.old-3"} {
		if err := os.Symlink("nowhere", path); err != nil {
			t.Fatal(err)
		}
		if got, err := MoveAside(path); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%d: %s, %v", i, got, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Error(entries)
	}
	if _, err := MoveAside(path); !os.IsNotExist(err) {
		t.Error("a missing file was moved: ", err)
	}
}
