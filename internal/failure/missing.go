package failure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var noSuchFile = regexp.MustCompile(`(?i)no such file|cannot open|can't open|not find|not found`)

// MissingFile returns the name of a file in the current directory that a program, which ran elsewhere, reports as
// missing; otherwise "".
func MissingFile(output string) string {
	for line := range strings.Lines(output) {
		if !noSuchFile.MatchString(line) {
			continue
		}
		separates := func(c rune) bool { return strings.ContainsRune(" \t\n:;,()'\"`‘’", c) }
		for _, name := range strings.FieldsFunc(line, separates) {
			if filepath.IsAbs(name) {
				name = filepath.Base(name)
			}
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				return name
			}
		}
	}
	return ""
}
