package local

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"whittle/oracle"
)

func TestWork(t *testing.T) {
	place := t.TempDir()
	w, err := OpenWork(place, 0)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(w.Dir) != place || !workName.MatchString(filepath.Base(w.Dir)) {
		t.Errorf("the directory is %s", w.Dir)
	}
	other, err := OpenWork(place, 0) // spares the first
	if err != nil || other.Dir == w.Dir {
		t.Fatal(other, err)
	}
	for _, w := range []*Work{w, other} {
		if _, err := os.Stat(w.Dir); err != nil {
			t.Error(err)
		}
		if err := os.MkdirAll(filepath.Join(w.Dir, "a/b"), 0o700); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(w.Dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there, error %v", w.Dir, err)
		}
	}
	var env *oracle.EnvironmentError
	if _, err := OpenWork(filepath.Join(place, "missing"), 0); !errors.As(err, &env) {
		t.Errorf("error %v", err)
	}
}

func TestClearAway(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "mine")
	make := func(name string) string {
		dir := filepath.Join(place, name)
		if err := os.MkdirAll(filepath.Join(dir, "test-1", "test"), 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dead := func(name string) string { // like a killed whittle
		dir := make(name)
		if err := os.WriteFile(markPath(dir), workMark(dir), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	begun := func(name string, mark int) string { // killed within the mark
		dir := filepath.Join(place, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if mark >= 0 {
			if err := os.WriteFile(markPath(dir), workMark(dir)[:mark], 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	gone := []string{dead("whittle-work-1"), dead("whittle-work-23"), begun("whittle-work-24", -1),
		begun("whittle-work-25", 0), begun("whittle-work-26", 9)}
	if err := os.Symlink(filepath.Dir(elsewhere), filepath.Join(gone[0], "link")); err != nil {
		t.Fatal(err)
	}
	os.Chmod(gone[1]+"/test-1", 0)
	stay := []string{make("whittle-work-"), make("whittle-work-1a"), make("my-whittle-work-1"), make("whittle-1"),
		elsewhere, filepath.Join(place, "whittle-work-5")}
	if err := errors.Join(os.WriteFile(elsewhere, nil, 0o600), os.Symlink(filepath.Dir(elsewhere), stay[5])); err != nil {
		t.Fatal(err)
	}
	copied := make("whittle-work-7")
	mark, err := os.ReadFile(markPath(gone[0]))
	if err = errors.Join(err, os.WriteFile(markPath(copied), mark, 0o600)); err != nil {
		t.Fatal(err)
	}
	stay = append(stay, copied, make("whittle-work-6"))
	clearAway(place)
	clearAway(filepath.Join(place, "missing"))
	for _, path := range gone {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there, error %v", path, err)
		}
	}
	for _, path := range stay {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}
