package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"whittle/internal/arguments"
	"whittle/internal/output"
)

// MakeAvailable changes words of a command that name files of the current directory, because the
// test runs elsewhere. The input and its aliases become {}; others become absolute.
func (r *Run) MakeAvailable(aliases ...string) {
	if !r.Test.Inline {
		return
	}
	in := r.Input
	var moved []string
	r.Test.Argv, moved = arguments.Local(r.Test.Argv, func(path string) bool {
		inside := func(name string) bool { return name == "." || output.Within(path, name) }
		return in.Set != nil && slices.ContainsFunc(in.Names, inside)
	})
	for _, path := range moved {
		r.Warn(fmt.Sprintf("each test writes %s to its own directory instead of %s", filepath.Base(path), path))
	}
	r.Test.Argv = arguments.Named(r.Test.Argv, func(path string) bool {
		return in.Set == nil && (path == r.Spec.Name ||
			slices.ContainsFunc(append(aliases, in.Paths[0]), func(name string) bool {
				return path == name || output.SamePath(path, name)
			}))
	})
	words := slices.Concat(r.Spec.Argv[:1], r.Test.Argv[1:])
	r.Spec.Argv = arguments.Absolute(words, func(path string) string {
		info, err := os.Stat(path)
		reduced := slices.ContainsFunc(in.Paths, func(input string) bool { return output.Within(path, input) })
		reduced = reduced || in.Holds(path)
		if err != nil || path == "" || filepath.IsAbs(path) || reduced || !info.Mode().IsRegular() && !info.IsDir() {
			return ""
		}
		absolute, _ := filepath.Abs(path)
		r.named = append(r.named, absolute)
		return absolute
	})
}
