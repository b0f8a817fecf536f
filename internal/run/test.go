package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/local"
	"whittle/internal/output"
	"whittle/internal/project"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// A Test is the user's test.
type Test struct {
	Argv   []string // the program and its arguments
	Inline bool     // a command with a failure to recognise
	Server string   // shell command of a test server; excludes the others

	Differs *valid.DiffTest // excludes the others

	Project *project.Project // the command runs in its root; may be nil
	Expect  *oracle.Run      // the failure of the command in its own part of the project; may be nil
}

// String returns the test as written.
func (t Test) String() string {
	if t.Server != "" {
		return t.Server
	}
	if t.Differs != nil {
		return t.Differs.String()
	}
	if !t.Inline {
		return t.Argv[0]
	}
	return shell.Join(shell.Bare(t.Argv))
}

// Skips reports whether a file is not reduced: it is the program of the test, or not part of the project.
func (t Test) Skips(path string, info fs.FileInfo) bool {
	if t.Project != nil {
		return t.Project.Skips(path)
	}
	if t.Server != "" || t.Differs != nil {
		return false
	}
	test, err := os.Stat(t.Argv[0])
	return err == nil && os.SameFile(test, info)
}

// find returns the spec of the test. Names are relative to the current directory; a command may
// be in PATH. The input's mode detects swapped arguments.
func (t Test) find(input fs.FileMode) (spec oracle.Spec, program *local.Program, err error) {
	if t.Inline || t.Server != "" || t.Differs != nil {
		if spec.Home, err = os.Getwd(); err != nil {
			return spec, nil, fmt.Errorf("cannot find the current directory: %w", err)
		}
		if t.Project != nil {
			spec.Home = t.Project.Root
		}
	}
	switch {
	case t.Server != "":
		spec.Argv = []string{"/bin/sh", "-c", t.Server}
		return spec, nil, nil
	case t.Differs != nil:
		spec.Argv = t.Differs.Argv()
		return spec, nil, nil
	}
	test := t.Argv[0]
	if t.Inline && !strings.Contains(test, "/") {
		if test, err = exec.LookPath(test); err != nil {
			return spec, nil, fmt.Errorf("cannot find the command %s: %w", t.Argv[0], err)
		}
	}
	info, err := os.Stat(test)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return spec, nil, fmt.Errorf("there is no test %s", test)
	case err != nil:
		return spec, nil, fmt.Errorf("cannot use the test: %w", err)
	case info.IsDir():
		return spec, nil, fmt.Errorf("the test %s is a directory; it must be a program", test)
	case !info.Mode().IsRegular():
		return spec, nil, fmt.Errorf("the test %s is not a program", test)
	case info.Mode()&0o111 == 0 && input&0o111 != 0 && !t.Inline:
		return spec, nil, fmt.Errorf("the test %s is not executable, but the file to reduce is; "+
			"the test comes first: whittle reduce TEST FILE", test)
	case info.Mode()&0o111 == 0:
		return spec, nil, &local.UnfitError{
			Advice: fmt.Sprintf("the test %s is not executable; run: chmod +x %s", test, shell.Quote(test))}
	}
	path, err := filepath.Abs(test)
	if err != nil {
		return spec, nil, fmt.Errorf("cannot find the test %s: %w", test, err)
	}
	program, err = local.NewProgram(path)
	spec.Argv = slices.Concat([]string{path}, t.Argv[1:])
	return spec, program, err
}

// MakeAvailable changes words of a command that name files of the current directory, because the
// test runs elsewhere. The input and its aliases become {}; others become absolute.
func (r *Run) MakeAvailable(aliases ...string) {
	if !r.Test.Inline {
		return
	}
	in := r.Input
	var moved []string
	r.Test.Argv, moved = tool.LocalOutputs(r.Test.Argv, func(path string) bool {
		inside := func(name string) bool { return in.Project != nil || name == "." || output.Within(path, name) }
		return in.Set != nil && slices.ContainsFunc(in.Names, inside)
	})
	for _, path := range moved {
		r.Warn(fmt.Sprintf("each test writes %s to its own directory instead of %s", filepath.Base(path), path))
	}
	r.Test.Argv = tool.NameInput(r.Test.Argv, func(path string) bool {
		return in.Set == nil && (path == r.Spec.Name ||
			slices.ContainsFunc(append(aliases, in.Paths[0]), func(name string) bool {
				return path == name || output.SamePath(path, name)
			}))
	})
	words := slices.Concat(r.Spec.Argv[:1], r.Test.Argv[1:])
	stem := func(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }
	r.Spec.Argv = tool.AbsoluteWords(words, func(path string) string {
		info, err := os.Stat(path)
		reduced := slices.ContainsFunc(in.Paths, func(input string) bool { return output.Within(path, input) })
		reduced = reduced || in.Holds(path) || in.Project.Has(path)
		// A script may make x or x.o of x.c. Files of an earlier run are stale.
		reduced = reduced || stem(path) == stem(r.Spec.Name) && shell.HasScript(words)
		if err != nil || path == "" || filepath.IsAbs(path) || reduced || !info.Mode().IsRegular() && !info.IsDir() {
			return ""
		}
		absolute, _ := filepath.Abs(path)
		r.named = append(r.named, absolute)
		return absolute
	})
	r.Spec.Absolute = in.Set == nil && shell.Elsewhere(r.Spec.Argv)
}
