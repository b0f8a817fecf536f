package run

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/process"
	"whittle/internal/shell"
	"whittle/parse"
)

// An Input is one or several files, and their language.
type Input struct {
	*output.Input
	Language grammars.Language
	Warning  string // about its size or encoding, or ""
	Copy     string // copies the input to the current directory; "" means by path

	by      grammars.Language // intended for the file
	reading *grammars.Reading // of the file; nil for several
}

// ReadBy returns the name of the language that the input was parsed by.
func (in *Input) ReadBy() string {
	if in.reading != nil {
		return in.reading.Language().Name
	}
	return in.Language.Name
}

// Lines returns the language of lines.
func Lines(string) grammars.Language {
	l, _ := grammars.Find("lines")
	return l
}

// LinesForUnknown returns the language of a file name, and lines for unknown names.
func LinesForUnknown(file string) grammars.Language {
	if l := grammars.ForFile(file); l.Name != "structure" {
		return l
	}
	return Lines(file)
}

// ReadFile reads an input of one file. byName selects its language unless the user gave one.
// [output.Input.ReadFile] describes purpose.
func (r *Run) ReadFile(in *output.Input, purpose string, byName func(string) grammars.Language) (f *Input, err error) {
	path := in.Paths[0]
	f = &Input{Input: in}
	if f.Language = byName(in.FileName()); r.Language != nil {
		f.Language = *r.Language
	}
	if f.Warning, err = weighFile(path, in.Source(path), f.Language); err != nil {
		return nil, err
	}
	if err := in.ReadFile(purpose); err != nil {
		return nil, err
	}
	if slices.Contains([]string{"\xff\xfe", "\xfe\xff"}, string(in.Bytes[:min(2, len(in.Bytes))])) {
		f.Warning = fmt.Sprintf("%s is UTF-16, which is read byte by byte; in UTF-8 it becomes smaller, if the test "+
			"accepts that: iconv -f UTF-16 -t UTF-8 %s", in, shell.Quote(path))
	}
	f.by = f.Language
	r.setContent(f, in.Bytes)
	return f, nil
}

func (r *Run) setContent(f *Input, content []byte) {
	f.Bytes = content
	f.reading = r.read(f.by, f.Paths[0], content)
	f.reading.Coarse = true
	f.Language.Language = f.reading
}

// ReadAll reads an input of several files and directories, without the test.
func (r *Run) ReadAll(in *output.Input) (*Input, error) {
	all := grammars.Language{FrontEnd: "text"}
	var found []string
	var memory int64
	err := in.ReadAll(output.Reader{
		Language: func(path string, content []byte) parse.Language {
			l := r.languageOf(path, content)
			found = append(found, l.Name)
			memory += l.Memory(int64(len(content)))
			if all.FrontEnd != "antlr" {
				all.FrontEnd = l.FrontEnd
			}
			return r.read(l, path, content)
		},
		Sealed: grammars.Sealed, Skip: r.Test.Skips,
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	all.Name = strings.Join(slices.Compact(found), ", ")
	all.Language = in.Set
	warning, err := process.Weigh(in.String(), int64(len(in.Bytes)), all.Name, memory, Lines("").Memory)
	return &Input{Input: in, Language: all, Warning: warning}, err
}

func (r *Run) languageOf(path string, content []byte) grammars.Language {
	if r.Language != nil {
		return *r.Language
	}
	return grammars.ForContent(path, content)
}

func (r *Run) LanguageOf(path string, content []byte) parse.Language {
	return r.read(r.languageOf(path, content), path, content)
}

// read returns the reading of a file. Child processes parse if that is safer. Files that a
// language refuses are read as structure.
func (r *Run) read(l grammars.Language, path string, content []byte) *grammars.Reading {
	reading := r.Host.parsers.ReadAs(l, printable.String(path), content, func(text string) { r.Warn(text) })
	reading.Late = r.late
	return reading
}

// CopyLine returns a shell command that copies the input to the current directory.
func (in *Input) CopyLine() string {
	if in.Copy != "" {
		return in.Copy
	}
	paths := in.absolute()
	if in.Set == nil {
		return "cp " + shell.Quote(paths[0]) + " " + shell.Quote(cmp.Or(in.Name, "."))
	}
	var lines []string
	for i, path := range paths {
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

// weighFile weighs a file before it is read. Errors are the reader's.
func weighFile(name, path string, l grammars.Language) (warning string, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	return process.Weigh(name, info.Size(), l.Name, l.Memory(info.Size()), Lines("").Memory)
}
