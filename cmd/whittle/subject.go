package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/parse"
	"whittle/sink"
)

// gcPercent keeps the memory small: what whittle allocates are mostly files that
// it renders, used once.
const gcPercent = 40

// subject is what is reduced or checked: a file, or several as one; how it is
// read; and its test.
type subject struct {
	*sink.Input
	language grammars.Language
	heavy    string       // what is to be told of a large one
	command  *testCommand // but for its work directory

	reading *grammars.Reading // of a file; nil for several
	warn    func(string)      // tells of what cannot be read as it should
}

func newSubject(quiet bool, in *sink.Input) *subject {
	return &subject{Input: in, warn: func(text string) {
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
	in, err := sink.NewInput(f.inPlace, call.inputs...)
	if err != nil {
		return nil, err
	}
	s := newSubject(f.quiet, in)
	read := f.openFile
	if in.Several() {
		read = f.openSet
	}
	if err := read(call, s); err != nil {
		return nil, err
	}
	if s.language.FrontEnd != "antlr" { // ANTLR's tables are much to go through
		debug.SetGCPercent(gcPercent)
	}
	return s, f.prepare(s, call)
}

// openFile reads one file.
func (f *reduceFlags) openFile(_ call, s *subject) error {
	byName := grammars.ForFile
	if f.driver == "list" {
		byName = func(string) grammars.Language { return lines() }
	}
	return f.readFile(s, "to reduce", byName)
}

// openSet reads several files and directories. The test may be among them; it is
// left out.
func (f *reduceFlags) openSet(c call, s *subject) error {
	if f.stdin {
		return usagef("--stdin gives the test one file; there are several")
	}
	if f.driver == "list" {
		return usagef("--driver list makes one flat list of a file; for several take another, as hdd")
	}
	choose := grammars.ForContent
	if f.language != "" || len(f.grammar) > 0 {
		language, err := f.findLanguage("", grammars.ForFile)
		if err != nil {
			return err
		}
		choose = func(string, []byte) grammars.Language { return language }
	}
	all := grammars.Language{FrontEnd: "text"}
	var found []string
	var memory int64
	err := s.ReadAll(sink.Reader{
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
	})
	if err != nil {
		return err
	}
	slices.Sort(found)
	all.Name = strings.Join(slices.Compact(found), ", ")
	all.Language = s.Set
	s.language = all
	s.heavy, err = weigh(s.String(), int64(len(s.Bytes)), all.Name, memory)
	return err
}

// tell says what was left out, what a large input will take, and from now on
// what cannot be read.
func (s *subject) tell(t *talk) {
	s.warn = func(text string) { t.line("%s", text) }
	if s.heavy != "" {
		t.line("%s", s.heavy)
	}
	for _, path := range s.Skipped {
		t.line("%s is left out: a test or what a program for version control keeps is not reduced", path)
	}
}

// copyLine is a line for a shell that copies the subject to the current
// directory, as a test sees it.
func (s *subject) copyLine() string {
	var lines []string
	for i, path := range s.Paths {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		if s.Set == nil {
			return "cp " + quote(path) + " ."
		}
		if s.Names[i] == "." {
			lines = append(lines, "cp -R "+quote(path)+"/. .")
			continue
		}
		dir := filepath.Dir(s.Names[i])
		if dir != "." {
			lines = append(lines, "mkdir -p "+quote(dir))
		}
		lines = append(lines, "cp -R "+quote(path)+" "+quote(dir))
	}
	return strings.Join(lines, " && ")
}
