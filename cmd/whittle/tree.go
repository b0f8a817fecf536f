package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whittle/files"
	"whittle/oracle"
	"whittle/parse/bundle"
)

// tree is where the best of several files go.
type tree struct {
	set    *bundle.Set
	places []place
}

// place is a file or directory on the disk that holds a part of the set.
type place struct {
	path string
	name string // of the entry that is there; "." if all are below it
	dir  bool
}

// openTree finds out where several files go: into a directory of their own, or
// back to where they are. It must hold nothing that would be lost.
func openTree(s *subject, path, test string) (*tree, error) {
	name := "."
	if len(s.names) == 1 {
		name = s.names[0]
	}
	all := place{path, name, true}
	if _, ok := standard(path); ok {
		return nil, usagef("%s takes one file; name a directory for several with -o", path)
	}
	for _, in := range s.paths {
		if within(in, path) {
			return nil, usagef("%s has %s, which is never overwritten; choose another directory with -o, or use --in-place", path, in)
		}
		if within(path, in) {
			return nil, usagef("%s is in %s, which is to be reduced; choose another directory with -o", path, in)
		}
	}
	if within(test, path) {
		return nil, usagef("the test %s is in %s and would be overwritten; choose another directory with -o", test, path)
	}
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, cannotWrite(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, usagef("%s is a symbolic link and would be replaced; name the directory itself with -o", path)
	case !info.IsDir():
		return nil, usagef("%s is not a directory; the result is several files, name a directory for them with -o", path)
	default:
		if err := all.holdsOnly(s.set); err != nil {
			return nil, err
		}
	}
	if err := files.Writable(path); err != nil {
		return nil, cannotWrite(path, err)
	}
	return &tree{s.set, []place{all}}, nil
}

// openTreeInPlace prepares to replace several files and directories.
func openTreeInPlace(s *subject, test string) (*tree, error) {
	t := &tree{set: s.set}
	for i, path := range s.paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) { // a killed run had just moved it
			info, err = os.Lstat(backUpPath(path))
		}
		switch {
		case err != nil:
			return nil, cannotWrite(path, err)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, usagef("%s is a symbolic link and would be replaced; name what it points to for --in-place", path)
		case info.IsDir() && within(".", path):
			return nil, usagef("the current directory is in %s, which would be replaced; call whittle from outside for --in-place", path)
		case info.IsDir() && within(test, path):
			return nil, usagef("the test %s is in %s, which would be replaced; move it elsewhere for --in-place", test, path)
		}
		path = filepath.Clean(path)
		if info.IsDir() {
			err = files.Writable(path)
		} else {
			_, err = openReplaced(path, info.Mode().Perm())
		}
		if err != nil {
			return nil, cannotWrite(path, err)
		}
		t.places = append(t.places, place{path, s.names[i], info.IsDir()})
	}
	return t, nil
}

// treePath gives the default output: dir.reduced for one directory, else
// reduced.
func treePath(s *subject) string {
	if len(s.paths) > 1 {
		return "reduced"
	}
	path := filepath.Clean(s.paths[0])
	if base := filepath.Base(path); base == "." || base == ".." {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
	}
	return path + ".reduced"
}

// within tells whether path is the directory dir, or somewhere in it.
func within(path, dir string) bool {
	relative, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && filepath.IsLocal(relative)
}

// resolved gives an absolute path without links, as far as it exists.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		if path == filepath.Dir(path) {
			return filepath.Join(path, rest)
		}
		path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
	}
}

// below gives the path of an entry below the place; "" if it is not there.
func (p place) below(e bundle.Entry) string {
	switch rest, ok := strings.CutPrefix(e.Path, p.name+"/"); {
	case p.name == ".":
		return e.Path
	case e.Path == p.name:
		return "."
	case ok:
		return rest
	}
	return ""
}

// holdsOnly checks that there is nothing in the place but what an earlier
// result would have there.
func (p place) holdsOnly(set *bundle.Set) error {
	entries, err := set.Entries(set.Archive())
	if err != nil {
		return err
	}
	known := map[string]bool{".": true}
	for _, e := range entries {
		for name := p.below(e); name != "" && !known[name]; name = filepath.Dir(name) {
			known[name] = true
		}
	}
	return filepath.WalkDir(p.path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return cannotWrite(p.path, err)
		}
		if name, err := filepath.Rel(p.path, path); err != nil || !known[filepath.ToSlash(name)] {
			return usagef("%s holds %s, which is none of the files to reduce and would be lost; choose another directory with -o", p.path, path)
		}
		return nil
	})
}

// backUp moves the directories, and copies the files, to where they are kept.
func (t *tree) backUp() error {
	entries, err := t.set.Entries(t.set.Archive())
	if err != nil {
		return err
	}
	for _, p := range t.places {
		if _, kept := os.Lstat(backUpPath(p.path)); p.dir && kept != nil {
			err = os.Rename(p.path, backUpPath(p.path))
			if err != nil {
				err = &oracle.EnvironmentError{Err: fmt.Errorf("cannot keep the input as %s: %w", backUpPath(p.path), err)}
			}
		}
		for _, e := range entries {
			if !p.dir && e.Path == p.name {
				err = backUp(p.path, e.Content, e.Mode)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeUp gives what is in the places. A directory half written is removed by the
// next write.
func (t *tree) takeUp() []byte {
	for _, p := range t.places {
		if !p.dir {
			removePending(p.path)
		}
	}
	return t.set.Gather(func(e bundle.Entry) (content []byte, there bool) {
		for _, p := range t.places {
			name := p.below(e)
			if name == "" {
				continue
			}
			path := filepath.Join(p.path, filepath.FromSlash(name))
			info, err := os.Lstat(path)
			if err == nil && info.Mode().IsRegular() {
				content, err = os.ReadFile(path)
			}
			return content, err == nil && info.Mode().Type() == e.Mode.Type()
		}
		return nil, false
	})
}

// write puts the best so far into its places.
func (t *tree) write(archive []byte) error {
	entries, err := t.set.Entries(archive)
	if err != nil {
		return err
	}
	for _, p := range t.places {
		if err := p.put(entries); err != nil {
			return err
		}
	}
	return nil
}

// put writes what is below the place. A file that is gone is removed, a
// directory empty.
func (p place) put(entries []bundle.Entry) error {
	var inside []bundle.Entry
	for _, e := range entries {
		name := p.below(e)
		switch {
		case name == "." && !p.dir:
			return (&replaced{p.path, e.Mode}).write(e.Content)
		case name != "":
			e.Path = name
			inside = append(inside, e)
		}
	}
	var err error
	if p.dir {
		err = files.Replace(p.path, inside)
	} else if err = os.Remove(p.path); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return cannotWrite(p.path, err)
	}
	return nil
}

// finish brings all to the disk.
func (t *tree) finish(context.Context, context.Context) error {
	var failed error
	for _, p := range t.places {
		if p.dir {
			if err := files.Sync(p.path); err != nil {
				failed = cmp.Or(failed, cannotWrite(p.path, err))
			}
		}
	}
	return failed
}
