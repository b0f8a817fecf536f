// Package samples reads sample files of every language and draws random texts from them.
package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Sample is a file of grammars/testdata/samples.
type Sample struct {
	Name  string // of the file; its extension determines the language
	Text  []byte
	Wrong bool // with syntax errors; the name begins with "wrong-"
}

// Of returns the samples of a language. root is the project's directory.
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
