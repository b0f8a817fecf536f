// Package sink is what a run reads and where its results go: files and directories,
// in and out.
//
// An [Input] is read, an [Output] takes the best so far, each time in one step, and a
// [Guard] stands before it while an earlier run is repeated. [Names] keeps the files of
// a run apart.
package output

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/printable"
	"whittle/internal/sidecar"
	"whittle/oracle"
	"whittle/parse/archive"
)

// An Input is what a run reads: a file, or several files and directories as one.
type Input struct {
	Paths   []string     // as the user named them
	Bytes   []byte       // the file, or the archive of all
	Mode    fs.FileMode  // permissions of a file
	Set     *archive.Set // of several; nil for a file
	Names   []string     // of Paths in the set
	Skipped []string     // what was left out of the set
	Called  string       // what the user calls it; "" is by Paths
	Name    string       // of a file, for tests and by its language; "" is by its path

	sources map[string]string // where each path is read from
	kept    []string          // paths that are read from what an earlier run kept of them
	inPlace bool              // the result is to take their place

	standard bool // it was the standard input
}

// FileName returns the name by which a test sees a file.
func (in *Input) FileName() string {
	if in.Name != "" {
		return in.Name
	}
	return filepath.Base(in.Paths[0])
}

// NewInput returns the input at some paths, before it is read. In place a path is
// read from what an earlier run has kept of it, if there is that.
func NewInput(inPlace bool, paths ...string) (*Input, error) {
	in := &Input{Paths: paths, sources: map[string]string{}, inPlace: inPlace}
	for _, path := range paths {
		source, err := in.source(path)
		if err != nil {
			return nil, err
		}
		if in.sources[path] = source; source != path {
			in.kept = append(in.kept, path)
		}
	}
	return in, nil
}

// NewSetInput returns an input that was read already: an archive of a set, of files at
// a path, which lie in the directory of a test without one of their own.
func NewSetInput(path string, set *archive.Set, archive []byte) *Input {
	return &Input{Paths: []string{path}, Set: set, Bytes: archive, Names: []string{"."}, sources: map[string]string{}}
}

// Holds reports whether a file or directory of an input that lies in the directory of a test without
// one of its own has this path there.
func (in *Input) Holds(path string) bool {
	if in.Set == nil || in.Names[0] != "." {
		return false
	}
	path = filepath.ToSlash(filepath.Clean(path))
	entries, err := in.Set.Entries(in.Bytes)
	return err == nil && slices.ContainsFunc(entries, func(e archive.Entry) bool {
		return e.Path == path || strings.HasPrefix(e.Path, path+"/")
	})
}

// Source returns the path that one of Paths is read from.
func (in *Input) Source(path string) string { return in.sources[path] }

// Several reports whether the input is more than a file.
func (in *Input) Several() bool {
	info, err := os.Stat(in.Source(in.Paths[0]))
	return len(in.Paths) > 1 || err == nil && info.IsDir()
}

// ReadFile reads an input that is one file; purpose is for [ReadFile].
func (in *Input) ReadFile(purpose string) error {
	content, info, err := ReadFile(in.Source(in.Paths[0]), purpose)
	if err == nil {
		in.Bytes, in.Mode = content, info.Mode().Perm()
	}
	return err
}

// ReadAll reads an input that is several files, each of the language that the
// reader says.
func (in *Input) ReadAll(r Reader) error {
	r.Source = in.Source
	tree, err := r.Read(in.Paths)
	if err != nil {
		return err
	}
	in.Set = archive.New(tree.Entries)
	in.Bytes, in.Names, in.Skipped = in.Set.Archive(), tree.Names, tree.Skipped
	return nil
}

// Layout says how a candidate lies in the directory of a test.
func (in *Input) Layout() oracle.Layout {
	if in.Set == nil {
		return oracle.Layout{Name: in.FileName(), Mode: in.Mode | 0o600}
	}
	return oracle.Layout{
		Name: filepath.FromSlash(in.Names[0]),
		Files: func(candidate []byte) ([]oracle.File, error) {
			entries, err := in.Set.Entries(candidate)
			return asFiles(entries), err
		},
	}
}

// String is the input in a sentence.
func (in *Input) String() string {
	text := in.Called
	switch {
	case text != "":
	case len(in.Paths) <= 3:
		text = strings.Join(in.Paths, ", ")
	default:
		text = fmt.Sprintf("%s, %s and %d more", in.Paths[0], in.Paths[1], len(in.Paths)-2)
	}
	return printable.Line(text)
}

// ResultPath returns where the result goes by default: small.reduced.c for small.c,
// dir.reduced for a directory, reduced for several.
func (in *Input) ResultPath() string {
	if in.Set != nil {
		return in.directoryPath()
	}
	dir, base := filepath.Split(in.Paths[0])
	if in.standard {
		dir = ""
	}
	ext := filepath.Ext(base)
	if ext == base { // .profile
		ext = ""
	}
	return sidecar.Path(dir, strings.TrimSuffix(base, ext), ".reduced"+ext)
}

// Measure returns how many files there are in a candidate, and how many bytes in
// them.
func (in *Input) Measure(candidate []byte) (files, size int) {
	if in.Set == nil {
		return 1, len(candidate)
	}
	entries, err := in.Set.Entries(candidate)
	if err != nil {
		panic(err) // candidates are archives
	}
	for _, e := range entries {
		if !e.Mode.IsDir() {
			files++
		}
		size += len(e.Content)
	}
	return files, size
}

// IsNothing reports whether nothing is left in a candidate: no file, or in the only
// one nothing but white space.
func (in *Input) IsNothing(candidate []byte) bool {
	if in.Set == nil {
		return len(bytes.TrimSpace(candidate)) == 0
	}
	files, _ := in.Measure(candidate)
	return files == 0
}

// entries returns the files that a candidate is.
func (in *Input) entries(candidate []byte) ([]archive.Entry, error) {
	if in.Set == nil {
		return []archive.Entry{{Path: ".", Mode: in.Mode, Content: candidate}}, nil
	}
	return in.Set.Entries(candidate)
}

// gather returns the candidate of which content tells what is in each file, and
// whether that is there; nil if nothing is.
func (in *Input) gather(content func(archive.Entry) ([]byte, bool)) []byte {
	if in.Set == nil {
		file, _ := content(archive.Entry{Path: ".", Mode: in.Mode})
		return file
	}
	if archive := in.Set.Gather(content); len(archive) > 0 {
		return archive
	}
	return nil
}
