package failure

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var notFound = regexp.MustCompile(`(?i)no such (file|module)|cannot (open|find)|can't (open|locate)|not find|` +
	`not found|no module named|cannot load such file|failed opening`)

// nameOf are paths by which programs look for a module x.
var nameOf = []string{"x", "x.py", "x.js", "x.mjs", "x.json", "x.rb", "x.pm", "x.lua", "x.R", "node_modules/x"}

// MissingPath returns the first element of a path in the current directory that a program, which ran elsewhere, reports
// as missing, or "". It is none of the inputs, and does not contain them.
func MissingPath(output string, inputs []string) string {
	first := func(name string) string {
		name, _, _ = strings.Cut(path.Clean(filepath.ToSlash(name)), "/")
		return name
	}
	separates := func(c rune) bool { return strings.ContainsRune(" \t\n:;,()'\"`‘’", c) }
	for line := range strings.Lines(output) {
		if !notFound.MatchString(line) {
			continue
		}
		for _, word := range slices.Backward(strings.FieldsFunc(line, separates)) { // the program may come first
			if filepath.IsAbs(word) {
				if _, err := os.Stat(word); err == nil {
					continue
				}
				word = filepath.Base(word)
			}
			module, _, _ := strings.Cut(word, ".") // of a package
			for _, form := range nameOf {
				for _, name := range []string{strings.Replace(form, "x", word, 1), strings.Replace(form, "x", module, 1)} {
					isInput := func(input string) bool { return first(input) == first(name) }
					if _, err := os.Stat(name); err == nil && filepath.IsLocal(name) && first(name) != "." &&
						!slices.ContainsFunc(inputs, isInput) {
						return first(name)
					}
				}
			}
		}
	}
	return ""
}
