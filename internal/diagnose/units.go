package diagnose

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of copies. Larger files are omitted: links would let a test write to the user's files.
const (
	copyBytes = 64 << 20
	copyFiles = 5000
	lookFiles = 50_000 // files visited to measure units
	mostUnits = 500
)

// A unit is a file or directory that a test may need.
type unit struct {
	source string
	target string // where the test looks for it, relative to its directory
	bytes  int64
	files  int
	named  bool // the test or the input names it
}

// units returns the files of dir that a test may use: its entries except the input, and the files above it that the
// test names. In directories that are too large, only named files count.
func (t *Test) units(dir string) []unit {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries[:min(len(entries), mostUnits)] {
		if e.Name() != t.Spec.Name && e.Name() != ".git" {
			names = append(names, e.Name())
		}
	}
	var paths []string // in the test, which may name parts of these
	for _, w := range t.Words() {
		w = filepath.Clean(w)
		if up := above(w); up > 0 && up <= maxAbove && w != ".." {
			name, _, _ := strings.Cut(w[3*up:], "/")
			names = append(names, w[:3*up]+name)
		}
		paths = append(paths, w)
	}
	look := lookFiles
	all := t.measured(dir, names, &look)
	fit, large := share(all)
	var parts []string
	for _, u := range large {
		for _, w := range paths {
			if strings.HasPrefix(w, u.target+"/") {
				parts = append(parts, w)
			}
		}
	}
	fit, _ = share(append(fit, t.measured(dir, parts, &look)...))
	slices.SortFunc(fit, func(a, b unit) int { return strings.Compare(a.target, b.target) })
	return fit
}

const maxAbove = 3

// above counts the leading ../ of a clean path.
func above(path string) (up int) {
	for strings.HasPrefix(path[3*up:], "../") {
		up++
	}
	return up
}

func (t *Test) measured(dir string, names []string, look *int) []unit {
	var units []unit
	words := t.Words()
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		u := unit{target: name}
		var err error
		if u.source, err = filepath.EvalSymlinks(filepath.Join(dir, name)); err != nil {
			continue
		}
		base := filepath.Base(name)
		u.named = bytes.Contains(t.Input, []byte(base)) || slices.ContainsFunc(words,
			func(w string) bool { return strings.Contains(w, base) })
		if strings.HasPrefix(t.Executor.Work+"/", u.source+"/") {
			u.files = copyFiles + 1 // the tests run in it
		} else {
			u.measure(look)
		}
		units = append(units, u)
	}
	return units
}

func (u *unit) measure(look *int) {
	filepath.WalkDir(u.source, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		u.files++
		if *look--; *look < 0 {
			u.files = copyFiles + 1
		}
		if !d.IsDir() {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() { // lay copies the target of a link
				u.bytes += info.Size()
			}
		}
		if u.files > copyFiles || u.bytes > copyBytes {
			return fs.SkipAll
		}
		return nil
	})
}

func share(units []unit) (fit, large []unit) {
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b unit) int {
		if a.named != b.named {
			return map[bool]int{true: -1, false: 1}[a.named]
		}
		return cmp.Compare(a.bytes, b.bytes)
	})
	bytes, files := int64(0), 0
	for _, u := range units {
		if bytes+u.bytes > copyBytes || files+u.files > copyFiles {
			large = append(large, u)
			continue
		}
		bytes, files = bytes+u.bytes, files+u.files
		fit = append(fit, u)
	}
	return fit, large
}

// lay copies the unit for a test in dir, without unreadable files, devices, and links to directories outside of the
// unit.
func (u unit) lay(dir string) {
	target := filepath.Join(dir, u.target)
	os.MkdirAll(filepath.Dir(target), 0o700)
	filepath.WalkDir(u.source, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		below := strings.TrimPrefix(path, u.source)
		to := filepath.Join(target, below)
		switch info, err := os.Stat(path); {
		case err != nil:
		case d.IsDir():
			os.Mkdir(to, 0o700)
		case info.IsDir():
			link, err := os.Readlink(path)
			if err == nil && filepath.IsLocal(filepath.Join(".", filepath.Dir(below), link)) && !filepath.IsAbs(link) {
				os.Symlink(link, to)
			}
		case info.Mode().IsRegular():
			copyFile(to, path, info)
		}
		return nil
	})
}

// copyFile copies at most the stated size, since files such as those of /proc have no end.
func copyFile(to, from string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(out, in, min(info.Size(), copyBytes))
	return errors.Join(err, out.Close())
}
