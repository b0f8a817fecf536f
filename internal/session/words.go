package session

import (
	"os"
	"path/filepath"
	"slices"

	"whittle/internal/arguments"
	"whittle/sink"
)

// MakeAvailable has the words of a command name what they name in the current directory,
// though it runs in another: the file, and files and directories that are not reduced.
func (s *Session) MakeAvailable() {
	if !s.Test.Inline {
		return
	}
	in := s.Input
	s.Test.Argv = arguments.Named(s.Test.Argv, func(path string) bool {
		return in.Set == nil && (path == in.Paths[0] || path == s.Spec.Name || sink.SamePath(path, in.Paths[0]))
	})
	words := slices.Concat(s.Spec.Argv[:1], s.Test.Argv[1:])
	s.Spec.Argv = arguments.Absolute(words, func(path string) string {
		info, err := os.Stat(path)
		reduced := slices.ContainsFunc(in.Paths, func(input string) bool { return sink.Within(path, input) })
		if err != nil || path == "" || filepath.IsAbs(path) || reduced || !info.Mode().IsRegular() && !info.IsDir() {
			return ""
		}
		absolute, _ := filepath.Abs(path)
		s.named = append(s.named, absolute)
		return absolute
	})
}
