package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/internal/beside"
)

// In place FILE.orig is the input, and the journal is the record of what whittle
// has put in FILE. Both stay when all is done: the same command then finds nothing
// to do. A run that ended before its time is gone on with from FILE.orig, unless
// somebody has changed FILE since.

func backUpPath(path string) string { return beside.With(path, ".orig") }

func backUpExists(path string) error {
	return usagef("%[2]s exists already and may be the only copy of an earlier input; move it away to reduce %[1]s as it is now",
		path, backUpPath(path))
}

// source gives the path that an input is read from. With --in-place that is what
// an earlier run kept of it; whether that was a run of this reduction is found
// out later, by goesOn and judge.
func (f *reduceFlags) source(path string) (string, error) {
	kept := backUpPath(path)
	info, err := os.Lstat(kept)
	switch {
	case !f.inPlace, errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", usagef("cannot use %s for --in-place: %w", path, err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", backUpExists(path)
	}
	if now, err := os.Lstat(path); err == nil && now.IsDir() != info.IsDir() {
		return "", backUpExists(path)
	}
	return kept, nil
}

// openInPlace prepares to replace files and directories.
func openInPlace(s *subject, test string) (*places, error) {
	o := &places{subject: s, inPlace: true}
	for i, path := range s.paths {
		kept := s.sources[path] != path
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) { // a killed run had just moved it
			info, err = os.Lstat(backUpPath(path))
		}
		switch {
		case err != nil:
			return nil, cannotWrite(path, err)
		case info.Mode()&fs.ModeSymlink != 0 && s.set == nil:
			return nil, usagef("%s is a symbolic link and would be replaced; name the file itself for --in-place", path)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, usagef("%s is a symbolic link and would be replaced; name what it points to for --in-place", path)
		case info.IsDir() && within(".", path):
			return nil, usagef("the current directory is in %s, which would be replaced; call whittle from outside for --in-place",
				path)
		case info.IsDir() && within(test, path):
			return nil, usagef("the test %s is in %s, which would be replaced; move it elsewhere for --in-place", test, path)
		}
		p := &place{path: filepath.Clean(path), name: ".", dir: info.IsDir(), kept: kept}
		if s.set != nil {
			p.name = s.names[i]
		}
		o.all = append(o.all, p)
	}
	return o, nil
}

// stillSo checks that the inputs in place are where they were when they were
// read: before they were claimed, another whittle may have worked on them.
func (r *reduction) stillSo() error {
	for path, source := range r.subject.sources {
		if now, err := r.flags.source(path); err != nil || now != source {
			return usagef("%s has been reduced by another whittle just now; see what became of it, then start again", path)
		}
	}
	return nil
}

// goesOn finds out whether what an earlier run left is of this reduction, as far
// as the journal can tell.
func (r *reduction) goesOn(out *places) (err error) {
	if r.unknown, err = out.recognise(r.journal); err != nil || !r.flags.inPlace || len(r.subject.kept) == 0 {
		return err
	}
	path, original := r.subject.kept[0], backUpPath(r.subject.kept[0])
	switch {
	case r.journal.Foreign() != "" && !r.journal.Damaged():
		return usagef("%s exists already and may be the only copy of an earlier input, and the journal %s is of %s; "+
			"to go on, call whittle as before; to reduce %s as it is now, move %[1]s away",
			original, r.journal.Path(), r.journal.Foreign(), path)
	case r.journal.Resumed() && !r.journal.Damaged() && !r.flags.fresh && len(r.unknown) > 0:
		return changed(r.unknown[0])
	}
	return nil
}

// changed says that in the place of an input there is something that may be
// somebody's work.
func changed(path string) error {
	return usagef("%[1]s is neither what whittle made of it nor the input, which is %[2]s; "+
		"move %[1]s away to go on with reducing %[2]s, or move %[2]s away to reduce %[1]s as it is now",
		path, backUpPath(path))
}
