// Package samples has small files in every language, and draws random ones from
// them, for the tests of several packages and for bench/soak.
package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Sample is a file of grammars/testdata/samples.
type Sample struct {
	Name  string // of the file, by which its language is known
	Text  []byte
	Wrong bool // it has syntax errors, as its name begins with "wrong-"
}

// Of returns the samples of a language. root is the path of the project.
func Of(root, language string) ([]Sample, error) {
	dir := filepath.Join(root, "grammars", "testdata", "samples", language)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("no samples of %s: %w", language, err)
	}
	var all []Sample
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, Sample{e.Name(), text, strings.HasPrefix(e.Name(), "wrong-")})
	}
	return all, nil
}
