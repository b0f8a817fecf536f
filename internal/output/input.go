// Package output reads the input and writes the results: files and directories.
//
// Better files replace an [Output] atomically. A [Guard] protects an earlier result. [Names] finds
// conflicts between files.
package output

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/internal/project"
	"whittle/oracle"
	"whittle/parse/archive"
)

// An Input is a file, or an archive.
type Input struct {
	Paths   []string
	Bytes   []byte
	Mode    fs.FileMode
	Set     *archive.Set
	Names   []string
	Skipped []string // left out of the set
	Called  string   // for messages; "" means Paths
	Name    string   // for tests and language; "" means the base of the path

	Project *project.Project // of the only path; nil means that the test runs beside the paths
	Shared  bool             // the result is a directory for others, with a script and a report

	sources map[string]string // path to read each of Paths
	kept    []string          // Paths read from kept originals
	inPlace bool

	standard bool
}

// FileName returns the name that tests see.
func (in *Input) FileName() string {
	if in.Name != "" {
		return in.Name
	}
	return filepath.Base(in.Paths[0])
}

// NewInput returns an unread input. In place, kept originals are read instead of paths.
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

// NewStandardInput copies r, of at most so many bytes, to a file in dir. Sidecar files go to the
// current directory.
func NewStandardInput(r io.Reader, dir, name string, most int64) (*Input, error) {
	path := filepath.Join(dir, name)
	content, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(content)) > most {
		err = fmt.Errorf("it has more than %d bytes", most)
	}
	if err == nil {
		err = disk.Create(path, content, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read standard input: %w", err)
	}
	in, err := NewInput(false, path)
	if err == nil {
		in.Called, in.Name, in.standard = "standard input", name, true
	}
	return in, err
}

// NewSetInput returns a read input with its files directly in a test's directory.
func NewSetInput(path string, set *archive.Set, archive []byte) *Input {
	return &Input{Paths: []string{path}, Set: set, Bytes: archive, Names: []string{"."}, sources: map[string]string{}}
}

// Holds reports whether an input of [NewSetInput] has the path.
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

// Source returns the path to read one of Paths.
func (in *Input) Source(path string) string { return in.sources[path] }

// Several reports whether the input is more than one file.
func (in *Input) Several() bool {
	info, err := os.Stat(in.Source(in.Paths[0]))
	return len(in.Paths) > 1 || err == nil && info.IsDir()
}

// ReadFile reads one file; see the function [ReadFile].
func (in *Input) ReadFile(purpose string) error {
	content, info, err := ReadFile(in.Source(in.Paths[0]), purpose)
	if err == nil {
		in.Bytes, in.Mode = content, info.Mode().Perm()
	}
	return err
}

// ReadAll reads an input of several files.
func (in *Input) ReadAll(r Reader) error {
	r.Source = in.Source
	r.Root = in.Project != nil
	tree, err := r.Read(in.Paths)
	if err != nil {
		return err
	}
	in.Set = archive.New(tree.Entries)
	in.Bytes, in.Names = in.Set.Archive(), tree.Names
	if in.Project == nil { // it tells itself what it leaves out
		in.Skipped = tree.Skipped
	}
	return nil
}

// Layout returns a candidate's layout in a test's directory.
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
		Outside: in.Project.Dependencies(),
	}
}

// RootLayout returns the layout of the only directory as the root of a test.
func (in *Input) RootLayout() (l oracle.Layout, ok bool) {
	if in.Set == nil || len(in.Names) > 1 || in.Names[0] == "." {
		return l, false
	}
	p := newPlace(in.Paths[0], true)
	p.name = in.Names[0]
	return oracle.Layout{Name: ".", Files: func(candidate []byte) ([]oracle.File, error) {
		entries, err := in.Set.Entries(candidate)
		return asFiles(p.part(entries)), err
	}}, true
}

// String returns the input's name for messages.
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

// ResultPath returns the default output: small.reduced.c for small.c, dir.reduced for a directory, dir.repro for a
// project, reduced for several.
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
	return disk.JoinName(dir, strings.TrimSuffix(base, ext), ".reduced"+ext)
}

func (in *Input) directoryPath() string {
	if len(in.Paths) > 1 {
		return "reduced"
	}
	path := filepath.Clean(in.Paths[0])
	if base := filepath.Base(path); base == "." || base == ".." {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
	}
	if in.Shared {
		return disk.AddSuffix(path, sharedSuffix)
	}
	return disk.AddSuffix(path, ".reduced")
}

// Measure returns a candidate's number of files and bytes.
func (in *Input) Measure(candidate []byte) (files, size int) {
	entries, err := in.entries(candidate)
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

// IsNothing reports whether a candidate has no files or only white space.
func (in *Input) IsNothing(candidate []byte) bool {
	if in.Set == nil {
		return len(bytes.TrimSpace(candidate)) == 0
	}
	files, _ := in.Measure(candidate)
	return files == 0
}

func (in *Input) entries(candidate []byte) ([]archive.Entry, error) {
	if in.Set == nil {
		return []archive.Entry{{Path: in.place(), Mode: in.Mode, Content: candidate}}, nil
	}
	return in.Set.Entries(candidate)
}

// place returns the path of a single file in its output.
func (in *Input) place() string {
	if in.Shared {
		return in.FileName()
	}
	return "."
}

// gather returns a candidate of the files that content accepts; may be nil.
func (in *Input) gather(content func(archive.Entry) ([]byte, bool)) []byte {
	if in.Set == nil {
		file, _ := content(archive.Entry{Path: in.place(), Mode: in.Mode})
		return file
	}
	if archive := in.Set.Gather(content); len(archive) > 0 {
		return archive
	}
	return nil
}
