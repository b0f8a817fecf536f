package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"whittle/internal/arguments"
	"whittle/internal/output"
)

// MakeAvailable makes the words of a command that name something in the current directory name it
// in the directory of the test, too: the file becomes {}, also by one of its aliases, and files and
// directories that are not reduced get absolute names.
func (s *Run) MakeAvailable(aliases ...string) {
	if !s.Test.Inline {
		return
	}
	in := s.Input
	var moved []string
	s.Test.Argv, moved = arguments.Local(s.Test.Argv, func(path string) bool {
		inside := func(name string) bool { return name == "." || output.Within(path, name) }
		return in.Set != nil && slices.ContainsFunc(in.Names, inside)
	})
	for _, path := range moved {
		s.Warn(fmt.Sprintf("each test writes %s to its own directory instead of %s", filepath.Base(path), path))
	}
	s.Test.Argv = arguments.Named(s.Test.Argv, func(path string) bool {
		return in.Set == nil && (path == s.Spec.Name ||
			slices.ContainsFunc(append(aliases, in.Paths[0]), func(name string) bool {
				return path == name || output.SamePath(path, name)
			}))
	})
	words := slices.Concat(s.Spec.Argv[:1], s.Test.Argv[1:])
	s.Spec.Argv = arguments.Absolute(words, func(path string) string {
		info, err := os.Stat(path)
		reduced := slices.ContainsFunc(in.Paths, func(input string) bool { return output.Within(path, input) })
		reduced = reduced || in.Holds(path)
		if err != nil || path == "" || filepath.IsAbs(path) || reduced || !info.Mode().IsRegular() && !info.IsDir() {
			return ""
		}
		absolute, _ := filepath.Abs(path)
		s.named = append(s.named, absolute)
		return absolute
	})
}
