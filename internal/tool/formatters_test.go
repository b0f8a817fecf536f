package tool

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFormatter(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"clang-format-9", "clang-format-15", "clang-format-diff-16", "gofmt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	for _, tt := range []struct {
		language, name string
		want           []string
	}{
		{"c", "a.c", []string{filepath.Join(dir, "clang-format-15"), "--assume-filename=a.c"}},
		{"go", "a.go", []string{filepath.Join(dir, "gofmt")}},
		{"python", "a.py", nil}, // no formatter is installed
		{"smt2", "a.smt2", nil},
	} {
		if got := Formatter(tt.language, tt.name); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.language, got, tt.want)
		}
	}
}
