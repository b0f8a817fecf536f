package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestAround(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(dir, "a", "b", "c")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := Around(inner); got != nil {
		t.Errorf("no workspace: %q", got)
	}
	for _, name := range []string{"a/go.work", "a/b/Makefile"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := Around(inner), []string{filepath.Join(dir, "a/b"), filepath.Join(dir, "a")}; !slices.Equal(got, want) {
		t.Errorf("workspaces: %q, want %q", got, want)
	}
	if git(dir, "init", "-q").Run() != nil {
		t.Skip("no git")
	}
	if got := Around(inner); !slices.Equal(got, []string{dir}) {
		t.Errorf("repository: %q, want %q", got, dir)
	}
	if got := Around(dir); got != nil {
		t.Errorf("the root of a repository: %q", got)
	}
}
