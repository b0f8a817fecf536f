package tool

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/oracle"
)

// FromDatabase returns the command for a file in a compilation database, compile_commands.json, or in the directory of
// one. Paths become absolute, the file becomes [oracle.Placeholder], and outputs go.
func FromDatabase(database, file string) ([]string, error) {
	if info, err := os.Stat(database); err == nil && info.IsDir() {
		database = filepath.Join(database, "compile_commands.json")
	}
	text, err := os.ReadFile(database)
	if err != nil {
		return nil, fmt.Errorf("cannot read the compilation database: %w", err)
	}
	var commands []struct {
		Directory, File, Command string
		Arguments                []string
	}
	if err := json.Unmarshal(text, &commands); err != nil {
		return nil, fmt.Errorf("%s is not a compilation database: %w", database, err)
	}
	wanted := real(file)
	for _, c := range commands {
		absolute := func(path string) string {
			if filepath.IsAbs(path) {
				return path
			}
			return filepath.Join(c.Directory, path)
		}
		if real(absolute(c.File)) != wanted {
			continue
		}
		words := c.Arguments
		if len(words) == 0 {
			if words, err = shell.Split(c.Command); err != nil || len(words) == 0 {
				return nil, fmt.Errorf("%s has no readable command for %s", database, file)
			}
		}
		if strings.Contains(words[0], "/") {
			words[0] = absolute(words[0])
		}
		words = withoutDependencies(WithoutOutput(words))
		words = AbsoluteWords(words, func(path string) string {
			found := absolute(path)
			if _, err := os.Stat(found); path == "" || err != nil {
				return ""
			}
			return found
		})
		for i, w := range words {
			if real(w) == wanted {
				words[i] = oracle.Placeholder
			}
		}
		return words, nil
	}
	return nil, fmt.Errorf("%s has no command for %s", database, file)
}

// real returns the absolute path without links, or else as it is.
func real(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return path
}

// withoutDependencies removes the options by which a compiler writes the rules of a makefile.
func withoutDependencies(words []string) (kept []string) {
	for i := 0; i < len(words); i++ {
		switch {
		case slices.Contains([]string{"-MF", "-MT", "-MQ"}, words[i]):
			i++ // its value
		case !strings.HasPrefix(words[i], "-M") || words[i] == "-M" || words[i] == "-MM":
			kept = append(kept, words[i])
		}
	}
	return kept
}
