package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whittle/internal/disk"
	"whittle/parse/archive"
)

func claim(t *testing.T, path string, isDir bool) *place {
	t.Helper()
	p := newPlace(path, isDir)
	if err := p.claim(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.release() })
	return p
}

func file(content string) []archive.Entry {
	return []archive.Entry{{Path: ".", Mode: 0o640, Content: []byte(content)}}
}

func directory(names ...string) []archive.Entry {
	var entries []archive.Entry
	for _, name := range names {
		entries = append(entries, archive.Entry{Path: name, Mode: 0o640, Content: []byte(name)})
	}
	return entries
}

func list(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.Type() == fs.ModeSymlink {
			target, err := os.Readlink(path)
			all = append(all, name+"->"+target)
			return err
		}
		content, err := os.ReadFile(path)
		all = append(all, name+"="+string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

func TestPutKeeps(t *testing.T) {
	for _, c := range []struct {
		name  string
		there func(path string) error
		put   []archive.Entry
		dir   bool
		want  string
	}{
		{"ours", func(string) error { return nil }, file("b"), false, "p=b"},
		{"the same", func(string) error { return nil }, file("a"), false, "p=a"},
		{"removed", os.Remove, file("b"), false, "p=b"},
		{"removed, the same", os.Remove, file("a"), false, "p=a"},
		{"edited", func(p string) error { return os.WriteFile(p, []byte("mine"), 0o600) }, file("b"), false,
			"p=b p.old=mine"},
		{"edited to that", func(p string) error { return os.WriteFile(p, []byte("b"), 0o600) }, file("b"), false, "p=b"},
		{"a link", func(p string) error { return errors.Join(os.Remove(p), os.Symlink("x", p)) }, file("a"), false,
			"p=a p.old->x"},
		{"a directory", func(p string) error {
			return errors.Join(os.Remove(p), os.Mkdir(p, 0o700), os.WriteFile(p+"/x", nil, 0o600))
		},
			file("b"), false, "p=b p.old/x="},
		{"edited, and nothing to come", func(p string) error { return os.WriteFile(p, []byte("mine"), 0o600) }, nil, false,
			"p.old=mine"},
		{"ours, and nothing to come", func(string) error { return nil }, nil, false, ""},
		{"our directory", func(string) error { return nil }, directory("b", "c/d"), true, "p/b=b p/c/d=c/d"},
		{"notes", func(p string) error { return os.WriteFile(p+"/notes", []byte("mine"), 0o600) }, directory("b"), true,
			"p/b=b p.old/a=a p.old/notes=mine"},
		{"edited in it", func(p string) error { return os.WriteFile(p+"/a", []byte("mine"), 0o600) }, directory("a"), true,
			"p/a=a p.old/a=mine"},
		{"an empty directory", func(p string) error { return os.Mkdir(p+"/empty", 0o700) }, directory("a"), true,
			"p/a=a p.old/a=a"},
		{"a file", func(p string) error { return errors.Join(os.RemoveAll(p), os.WriteFile(p, []byte("mine"), 0o600)) },
			directory("a"), true, "p/a=a p.old=mine"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "p")
		p := claim(t, path, c.dir)
		kept := 0
		p.aside = func(string) { kept++ }
		first := file("a")
		if c.dir {
			first = directory("a")
		}
		if err := errors.Join(p.Put(first), c.there(path), p.Put(c.put), p.release()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := list(t, dir)
		old := strings.Count(got+" ", "p.old=") + strings.Count(got, "p.old/") - strings.Count(got, "p.old/notes") +
			strings.Count(got, "p.old->")
		if got != c.want || kept != old {
			t.Errorf("%s: %s, told of %d; want %s", c.name, got, kept, c.want)
		}
	}
}

// Names may be of maximal length.
func TestClaim(t *testing.T) {
	for _, name := range []string{"p", strings.Repeat("x", 255)} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		build(t, dir, name)
		p := claim(t, path, false)
		err := newPlace(dir+"/./"+name, false).claim()
		if !errors.Is(err, disk.ErrInUse) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v", err)
		}
		// A test may remove anything.
		left, err := filepath.Glob(dir + "/.*")
		if err != nil || len(left) != 1 {
			t.Fatal(left, err)
		}
		if info, err := os.Stat(left[0]); err != nil || info.Mode().Perm() != 0o700 {
			t.Error("others can look into what is half made: ", info.Mode(), err)
		}
		p.ours = p.present(1000)
		if err := errors.Join(os.RemoveAll(left[0]), p.Put(file("a"))); err != nil {
			t.Error(err)
		}
		if err := newPlace(path, false).claim(); !errors.Is(err, disk.ErrInUse) {
			t.Errorf("%v", err)
		}
		if err := p.release(); err != nil {
			t.Error(err)
		}
		if got := list(t, dir); got != name+"=a" {
			t.Error(got)
		}
	}
	if err := newPlace(filepath.Join(t.TempDir(), "none", "p"), false).claim(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	dir := t.TempDir()
	build(t, dir, ".p.whittle")
	if err := newPlace(filepath.Join(dir, "p"), false).claim(); err == nil || list(t, dir) != ".p.whittle=.p.whittle" {
		t.Error(err, list(t, dir))
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p")
	p := claim(t, path, false)
	build(t, dir, "p", "q/a", "q/b")
	if err := p.keepFile(path+".orig", []byte("p"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.keepFile(path+".orig", []byte("x"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if got := list(t, dir); got != ".p.whittle/lock= p=p p.orig=p q/a=q/a q/b=q/b" {
		t.Error(got)
	}
	p.release()
	q := claim(t, filepath.Join(dir, "q"), true)
	q.keepDirectory(filepath.Join(dir, "q.orig"))
	if err := q.Put(directory("a/b", "a")); err == nil {
		t.Error("what cannot be was written")
	}
	if got := list(t, dir); got != ".q.whittle/lock= p=p p.orig=p q/a=q/a q/b=q/b" {
		t.Error(got)
	}
	if err := errors.Join(q.Put(directory("a")), q.Put(nil), q.release()); err != nil {
		t.Error(err)
	}
	if got := list(t, dir); got != "p=p p.orig=p q.orig/a=q/a q.orig/b=q/b" {
		t.Error(got)
	}
}

// The journal knows content by its hash alone.
func TestTooLarge(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "p")
	if large := digestAt(filepath.Join(dir, "p"), 0); large.hash == (digest{}).hash {
		t.Error("a file that is too large passes for a missing one")
	}
}
