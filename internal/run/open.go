package run

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"whittle"
	"whittle/grammars"
	"whittle/internal/arguments"
	"whittle/internal/disk"
	"whittle/internal/output"
)

// Read reads the files, or standard input for "-", and finds the test. Files that the file of a
// command includes are reduced, too.
func (r *Run) Read(paths []string) error {
	needed := r.needed(paths)
	in, err := r.input(slices.Concat(paths, needed))
	if err != nil {
		return err
	}
	if in.Several() {
		switch {
		case r.Name != "":
			return errors.New("--name is for one file; there are several")
		case r.Stdin:
			return errors.New("--stdin is for one file; there are several")
		case r.hasFormatter():
			return errors.New("--format is for one file; there are several")
		case r.flat():
			return errors.New("--driver list is for one file; there are several; use another driver, such as hdd")
		}
	}
	if len(needed) > 0 {
		r.Prepared = fmt.Sprintf("%s needs %s, reduced with it", paths[0], strings.Join(needed, ", "))
	}
	return r.readInput(in, "to reduce")
}

// ReadFor is Read with a purpose that completes messages such as "there is no file to report on".
func (r *Run) ReadFor(purpose string, paths []string) error {
	in, err := output.NewInput(false, paths...)
	if err != nil {
		return err
	}
	return r.readInput(in, purpose)
}

func (r *Run) needed(paths []string) []string {
	if !r.Test.Inline || len(paths) > 1 || r.Stdin || r.InPlace || r.flat() || r.Name != "" || r.hasFormatter() {
		return nil
	}
	language := grammars.ForFile(paths[0]).Name
	if r.Language != nil && len(r.Grammar) == 0 {
		language = r.Language.Name
	}
	return arguments.Needed(language, paths[0], disk.ReadPlain)
}

// input returns the input of a reduction. Standard input leads to standard output.
func (r *Run) input(paths []string) (*output.Input, error) {
	if !slices.Contains(paths, "-") {
		in, err := output.NewInput(r.InPlace, paths...)
		if err == nil {
			in.Name = r.Name
		}
		return in, err
	}
	if len(paths) > 1 || r.InPlace {
		return nil, errors.New("-, standard input, excludes other files and --in-place")
	}
	r.Output = cmp.Or(r.Output, "-")
	dir, err := os.MkdirTemp("", "whittle-input-")
	if err != nil {
		return nil, fmt.Errorf("cannot store the standard input: %w", err)
	}
	r.Later(func() { os.RemoveAll(dir) })
	return output.NewStandardInput(os.Stdin, dir, cmp.Or(r.Name, "stdin"), MaxSize)
}

func (r *Run) readInput(in *output.Input, purpose string) error {
	var input *Input
	var err error
	switch {
	case in.Several():
		input, err = r.ReadAll(in)
	case r.flat():
		input, err = r.ReadFile(in, purpose, Lines)
	default:
		input, err = r.ReadFile(in, purpose, grammars.ForFile)
	}
	if err != nil {
		return err
	}
	if err := r.Find(input); err != nil {
		return err
	}
	r.MakeAvailable()
	return nil
}

// flat reports whether a file is read as lines, unless the user gave a language.
func (r *Run) flat() bool {
	driver, err := whittle.Drivers().Find(r.Search.Driver)
	return err == nil && driver.Flat
}
