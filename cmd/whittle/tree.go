package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/internal/beside"
)

// openTree finds out whether several files may go into a directory of their own.
// It must hold nothing that would be lost.
func openTree(s *subject, path, test string) (*places, error) {
	name := "."
	if len(s.names) == 1 {
		name = s.names[0]
	}
	all := &place{path: path, name: name, dir: true}
	if isStandard(path) {
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
	return &places{subject: s, all: []*place{all}}, nil
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
	return beside.With(path, ".reduced")
}
