package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/internal/beside"
)

// runFiles are the files of a run: what it reads and what it writes. Nothing that
// it writes may be another of them, however it is spelled.
type runFiles []named

type named struct {
	path, what string
	whole      bool // with all that is in it, if it is a directory
}

// add enters a file that is known to be fit.
func (n *runFiles) add(path, what string) { *n = append(*n, named{path, what, false}) }

// addWhole enters a file or a directory in which there is nothing else.
func (n *runFiles) addWhole(path, what string) { *n = append(*n, named{path, what, true}) }

// other gives one of the files that would be overwritten by one that is written to
// path.
func (n *runFiles) other(path string) (other named, ok bool) {
	for _, other := range *n {
		if samePath(other.path, path) || other.whole && within(path, other.path) {
			return other, true
		}
	}
	return named{}, false
}

// claim enters a file that is to be written because of a flag.
func (n *runFiles) claim(flag, path, what string) error {
	if path == "" {
		return nil
	}
	other, ok := n.other(path)
	switch {
	case ok && samePath(other.path, path):
		return usagef("%s %s would overwrite %s", flag, path, other.what)
	case ok:
		return usagef("%s %s is in %s, which is for the files to reduce only; choose another place", flag, path, other.path)
	}
	n.add(path, what)
	return nil
}

// claimBeside enters a file that is written without being asked for, because of
// another.
func (n *runFiles) claimBeside(of, path, what string) error {
	if other, ok := n.other(path); ok {
		return usagef("%s is %s, and where %s of %s goes; rename one of them", path, other.what, what, of)
	}
	n.addWhole(path, what+" of "+of)
	return nil
}

// check finds out whether a run would overwrite one of its own files.
func (r *reduction) check(call call) error {
	var n runFiles
	s, f := r.subject, r.flags
	if call.server == "" {
		n.add(s.command.Argv[0], "the test")
		for _, word := range s.command.Argv[1:] {
			if filepath.IsAbs(word) {
				n.add(word, "a file of the test")
			}
		}
	}
	for _, path := range f.grammar {
		n.add(path, "the grammar")
	}
	for _, path := range s.paths {
		n.addWhole(path, "the file to reduce")
	}
	if _, ok := r.out.(*places); ok && !f.inPlace {
		n.addWhole(r.path, "the result")
	}
	var err error
	keep := func(e error) { err = cmp.Or(err, e) }
	if f.inPlace {
		for _, path := range s.paths {
			keep(n.claimBeside(path, backUpPath(path), "the original"))
		}
	}
	for _, number := range []string{"1", "2"} {
		keep(n.claimBeside(r.path, flakyPath(besideResult(r.path, s), number), "an output of the test"))
	}
	switch journal := f.journalPath(r.path, s); {
	case f.noJournal:
	case f.journal != "":
		keep(n.claim("--journal", journal, "the journal"))
	default:
		keep(n.claimBeside(r.path, journal, "the journal"))
	}
	keep(n.claim("--stats", f.stats, "what --stats writes"))
	keep(n.claim("--trace", f.trace, "what --trace writes"))
	return err
}

// samePath tells whether a write to one file would harm the other.
func samePath(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	return resolved(a) == resolved(b)
}

// within tells whether path is the directory dir, or somewhere in it.
func within(path, dir string) bool {
	relative, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && filepath.IsLocal(relative)
}

// resolved gives an absolute path without links, as far as it exists. A link to
// nothing is what it would create.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	links := 0
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		if path == filepath.Dir(path) {
			return filepath.Join(path, rest)
		}
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 && links < 40 {
			if target, err := os.Readlink(path); err == nil {
				if !filepath.IsAbs(target) {
					target = filepath.Join(filepath.Dir(path), target)
				}
				path, links = filepath.Clean(target), links+1
				continue
			}
		}
		path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
	}
}

// flakyPath is where an output of a flaky test goes.
func flakyPath(result, number string) string {
	return beside.With(result, ".flaky-"+number+".txt")
}
