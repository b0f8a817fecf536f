package run

import (
	"path/filepath"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/shell"
	"whittle/parse"
)

// An Input is what is read: a file, or several as one, and the language it is read
// by.
type Input struct {
	*output.Input
	Language grammars.Language
	Weight   Weight
	Copy     string // a line for a shell that copies the input to the current directory; "" is by its paths

	by      grammars.Language // that a file is read by, if that can
	reading *grammars.Reading // of a file; nil for several
}

// ReadBy returns the name of the language that the input was read by, once it was.
func (in *Input) ReadBy() string {
	if in.reading != nil {
		return in.reading.Language().Name
	}
	return in.Language.Name
}

// Lines is the language of lines, for a file of any name.
func Lines(string) grammars.Language {
	l, _ := grammars.Find("lines")
	return l
}

// LinesForUnknown is the language by the name of a file, and lines where that says
// nothing.
func LinesForUnknown(file string) grammars.Language {
	if l := grammars.ForFile(file); l.Name != "structure" {
		return l
	}
	return Lines(file)
}

// ReadFile reads an input that is one file. Its language is that of the options, or
// what byName says. The purpose is for [output.ReadFile].
func (s *Run) ReadFile(in *output.Input, purpose string, byName func(string) grammars.Language) (*Input, error) {
	path := in.Paths[0]
	f := &Input{Input: in}
	if f.Language = byName(in.FileName()); s.Language != nil {
		f.Language = *s.Language
	}
	var err error
	if f.Weight, err = weighFile(path, in.Source(path), f.Language); err != nil {
		return nil, err
	}
	if err := in.ReadFile(purpose); err != nil {
		return nil, err
	}
	f.by = f.Language
	s.become(f, in.Bytes)
	return f, nil
}

// become makes a content that of a file.
func (s *Run) become(f *Input, content []byte) {
	f.Bytes = content
	f.reading = s.read(f.by, f.Paths[0], content)
	f.Language.Language = f.reading
}

// ReadAll reads an input that is several files and directories. The test may be among
// them; it is left out.
func (s *Run) ReadAll(in *output.Input) (*Input, error) {
	all := grammars.Language{FrontEnd: "text"}
	var found []string
	var memory int64
	err := in.ReadAll(output.Reader{
		Language: func(path string, content []byte) parse.Language {
			l := s.languageOf(path, content)
			found = append(found, l.Name)
			memory += l.Memory(int64(len(content)))
			if all.FrontEnd != "antlr" {
				all.FrontEnd = l.FrontEnd
			}
			return s.read(l, path, content)
		},
		Skip: s.Test.Is,
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	all.Name = strings.Join(slices.Compact(found), ", ")
	all.Language = in.Set
	w, err := weigh(in.String(), int64(len(in.Bytes)), all.Name, memory)
	return &Input{Input: in, Language: all, Weight: w}, err
}

// languageOf returns the language of one of several files.
func (s *Run) languageOf(path string, content []byte) grammars.Language {
	if s.Language != nil {
		return *s.Language
	}
	return grammars.ForContent(path, content)
}

// LanguageOf returns how one of several files is read.
func (s *Run) LanguageOf(path string, content []byte) parse.Language {
	return s.read(s.languageOf(path, content), path, content)
}

// read returns how a file is read: by the language, by children where that is wise,
// and by structure where the language refuses it.
func (s *Run) read(l grammars.Language, path string, content []byte) *grammars.Reading {
	r := s.host.parsers.ReadAs(l, printable.String(path), content, func(text string) { s.Warn(text) })
	r.Late = s.Late
	return r
}

// CopyLine returns a line for a shell that copies the input to the current directory,
// as a test sees it.
func (in *Input) CopyLine() string {
	if in.Copy != "" {
		return in.Copy
	}
	var lines []string
	for i, path := range in.absolute() {
		if in.Set == nil && in.Name != "" {
			return "cp " + shell.Quote(path) + " " + shell.Quote(in.Name)
		}
		if in.Set == nil {
			return "cp " + shell.Quote(path) + " ."
		}
		if in.Names[i] == "." {
			lines = append(lines, "cp -R "+shell.Quote(path)+"/. .")
			continue
		}
		dir := filepath.Dir(in.Names[i])
		if dir != "." {
			lines = append(lines, "mkdir -p "+shell.Quote(dir))
		}
		lines = append(lines, "cp -R "+shell.Quote(path)+" "+shell.Quote(dir))
	}
	return strings.Join(lines, " && ")
}

// absolute returns the paths of the input as they are from anywhere.
func (in *Input) absolute() []string {
	var paths []string
	for _, path := range in.Paths {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		paths = append(paths, path)
	}
	return paths
}
