package failure

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var notFound = regexp.MustCompile(`(?i)no such (file|module)|cannot (open|find)|can't (open|locate)|not find|` +
	`not found|no module named|cannot load such file|failed opening`)

// nameOf has the paths where programs look for a module x.
var nameOf = []string{"x", "x.py", "x.js", "x.mjs", "x.json", "x.rb", "x.pm", "x.lua", "x.R", "node_modules/x"}

// MissingPath returns the first element of a path in the current directory that a program, which ran elsewhere,
// reports as missing, or "". Inputs and directories with them do not count. Headers and modules may be in a directory
// that the program knows.
func MissingPath(output string, inputs []string) string {
	isInput := func(name string) bool {
		return slices.ContainsFunc(inputs, func(input string) bool { return top(input) == top(name) })
	}
	var modules []string
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
					if _, err := os.Stat(name); err == nil && filepath.IsLocal(name) && top(name) != "." && !isInput(name) {
						return top(name)
					}
				}
			}
			if strings.Contains(word, ".") || strings.Contains(line, "odule") {
				modules = append(modules, path.Base(word), module, module+".py")
			}
		}
	}
	if len(modules) == 0 {
		return ""
	}
	found, at, looked := "", len(modules), 0
	filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if looked++; looked > mostLooked {
			return fs.SkipAll
		}
		if err != nil {
			return nil // look elsewhere
		}
		if i := slices.Index(modules[:at], d.Name()); i >= 0 && strings.Contains(name, "/") && !isInput(name) {
			found, at = top(name), i
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || strings.Count(name, "/") >= deepest) {
			return fs.SkipDir
		}
		return nil
	})
	return found
}

// Bounds of a search for modules.
const (
	mostLooked = 20_000
	deepest    = 4
)

func top(name string) string {
	name, _, _ = strings.Cut(path.Clean(filepath.ToSlash(name)), "/")
	return name
}

func separates(c rune) bool { return strings.ContainsRune(" \t\n:;,()<>'\"`‘’", c) }
