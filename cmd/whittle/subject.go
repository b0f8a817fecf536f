package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/oracle"
	"whittle/oracle/local"
	"whittle/parse"
	"whittle/parse/bundle"
	"whittle/sink"
)

// gcPercent keeps the memory small: what whittle allocates are mostly files that
// it renders, used once.
const gcPercent = 40

// subject is what is reduced or checked: a file, or several as one; how it is
// read; and its test.
type subject struct {
	paths    []string // as the user named them
	input    []byte   // the file, or the archive of all
	language grammars.Language
	heavy    string         // what is to be told of a large one
	mode     fs.FileMode    // of a file
	command  *local.Command // but for its work directory

	set     *bundle.Set // of several; else nil
	names   []string    // of the paths in the set
	skipped []string    // what was left out of the set

	reading *grammars.Reading // of a file; nil for several
	warn    func(string)      // tells of what cannot be read as it should

	sources map[string]string // where each path was read from
	kept    []string          // paths that were read from what an earlier run kept of them
}

func newSubject(quiet bool, paths ...string) *subject {
	return &subject{paths: paths, warn: func(text string) {
		if !quiet {
			fmt.Fprintf(os.Stderr, "whittle: %s\n", text)
		}
	}}
}

// languageName is that of the language by which the file was read, once it was.
func (s *subject) languageName() string {
	if s.reading != nil {
		return s.reading.Language().Name
	}
	return s.language.Name
}

// open reads what the command line names.
func (f *reduceFlags) open(call call) (*subject, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	sources := map[string]string{}
	var kept []string
	for _, path := range call.inputs {
		source, err := f.source(path)
		if err != nil {
			return nil, err
		}
		if sources[path] = source; source != path {
			kept = append(kept, path)
		}
	}
	read := f.openFile
	if info, err := os.Stat(sources[call.inputs[0]]); len(call.inputs) > 1 || err == nil && info.IsDir() {
		read = f.openSet
	}
	s, layout, err := read(call, sources)
	if err != nil {
		return nil, err
	}
	s.sources, s.kept = sources, kept
	if s.language.FrontEnd != "antlr" { // ANTLR's tables are much to go through
		debug.SetGCPercent(gcPercent)
	}
	return s, f.prepare(s, call, layout)
}

// openFile reads one file.
func (f *reduceFlags) openFile(c call, sources map[string]string) (s *subject, layout oracle.Layout, err error) {
	byName := grammars.ForFile
	if f.driver == "list" {
		byName = func(string) grammars.Language { return lines() }
	}
	path := c.inputs[0]
	return f.readFile(path, sources[path], "to reduce", byName)
}

// openSet reads several files and directories. The test may be among them; it is
// left out.
func (f *reduceFlags) openSet(c call, sources map[string]string) (s *subject, layout oracle.Layout, err error) {
	if f.stdin {
		return nil, layout, usagef("--stdin gives the test one file; there are several")
	}
	if f.driver == "list" {
		return nil, layout, usagef("--driver list makes one flat list of a file; for several take another, as hdd")
	}
	choose := grammars.ForContent
	if f.language != "" || len(f.grammar) > 0 {
		language, err := f.findLanguage("", grammars.ForFile)
		if err != nil {
			return nil, layout, err
		}
		choose = func(string, []byte) grammars.Language { return language }
	}
	s = newSubject(f.quiet, c.inputs...)
	all := grammars.Language{FrontEnd: "text"}
	var found []string
	var memory int64
	reader := sink.Reader{
		Source: func(path string) string { return sources[path] },
		Language: func(path string, content []byte) parse.Language {
			l := choose(path, content)
			found = append(found, l.Name)
			memory += l.Memory(int64(len(content)))
			if all.FrontEnd != "antlr" {
				all.FrontEnd = l.FrontEnd
			}
			return f.reading(s, l, path, content)
		},
		Skip: func(info fs.FileInfo) bool {
			if c.server != "" {
				return false
			}
			test, err := os.Stat(c.test[0])
			return err == nil && os.SameFile(test, info)
		},
	}
	tree, err := reader.Read(c.inputs)
	if err != nil {
		return nil, layout, usageError{err}
	}
	slices.Sort(found)
	all.Name = strings.Join(slices.Compact(found), ", ")
	set := bundle.New(tree.Entries)
	all.Language = set
	layout.Name = filepath.FromSlash(tree.Names[0])
	layout.Write = func(dir string, candidate []byte) error {
		entries, err := set.Entries(candidate)
		if err != nil {
			return err
		}
		return sink.Write(dir, entries)
	}
	s.input, s.language, s.set, s.names, s.skipped = set.Archive(), all, set, tree.Names, tree.Skipped
	s.heavy, err = weigh(s.String(), int64(len(s.input)), all.Name, memory)
	return s, layout, err
}

// output opens what the best goes to, and gives its path.
func (s *subject) output(f reduceFlags, test string) (out output, path string, err error) {
	switch {
	case f.inPlace:
		path = s.String()
		out, err = openInPlace(s, test)
	case s.set != nil:
		path = cmp.Or(f.output, s.resultPath())
		out, err = openTree(s, path, test)
	default:
		path = cmp.Or(f.output, s.resultPath())
		out, err = openOutput(s, path, test)
	}
	return out, path, err
}

// resultPath gives the default output: small.reduced.c for small.c, dir.reduced
// for a directory, reduced for several.
func (s *subject) resultPath() string {
	if s.set != nil {
		return treePath(s)
	}
	return resultPath(s.paths[0])
}

// entries gives the files that a candidate is.
func (s *subject) entries(candidate []byte) ([]bundle.Entry, error) {
	if s.set == nil {
		return []bundle.Entry{{Path: ".", Mode: s.mode, Content: candidate}}, nil
	}
	return s.set.Entries(candidate)
}

// gather gives the candidate of which content tells what is in each file, and
// whether that is there; nil if nothing is.
func (s *subject) gather(content func(bundle.Entry) ([]byte, bool)) []byte {
	if s.set == nil {
		file, _ := content(bundle.Entry{Path: ".", Mode: s.mode})
		return file
	}
	if archive := s.set.Gather(content); len(archive) > 0 {
		return archive
	}
	return nil
}

// String is the subject in a sentence.
func (s *subject) String() string {
	if len(s.paths) <= 3 {
		return strings.Join(s.paths, ", ")
	}
	return fmt.Sprintf("%s, %s and %d more", s.paths[0], s.paths[1], len(s.paths)-2)
}

// tell says what was left out, what a large input will take, and from now on
// what cannot be read.
func (s *subject) tell(t *talk) {
	s.warn = func(text string) { t.line("%s", text) }
	if s.heavy != "" {
		t.line("%s", s.heavy)
	}
	for _, path := range s.skipped {
		t.line("%s is left out: a test or what a program for version control keeps is not reduced", path)
	}
}

// measure gives how many files there are in a candidate, and how many bytes in
// them.
func (s *subject) measure(candidate []byte) (n, size int) {
	if s.set == nil {
		return 1, len(candidate)
	}
	entries, err := s.set.Entries(candidate)
	if err != nil {
		panic(err) // candidates are archives
	}
	for _, e := range entries {
		if !e.Mode.IsDir() {
			n++
		}
		size += len(e.Content)
	}
	return n, size
}

// copyLine is a line for a shell that copies the subject to the current
// directory, as a test sees it.
func (s *subject) copyLine() string {
	var lines []string
	for i, path := range s.paths {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		if s.set == nil {
			return "cp " + quote(path) + " ."
		}
		if s.names[i] == "." {
			lines = append(lines, "cp -R "+quote(path)+"/. .")
			continue
		}
		dir := filepath.Dir(s.names[i])
		if dir != "." {
			lines = append(lines, "mkdir -p "+quote(dir))
		}
		lines = append(lines, "cp -R "+quote(path)+" "+quote(dir))
	}
	return strings.Join(lines, " && ")
}
