package project

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Compilation is an entry of a compilation database.
type Compilation struct {
	Directory, File string // File is absolute
	Words           []string
}

// databaseIn returns the compilation database of a directory, or the path of a file as it is.
func databaseIn(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "compile_commands.json")
	}
	return path
}

// ReadDatabase reads a compilation database, compile_commands.json, or that in a directory.
func ReadDatabase(database string) (all []Compilation, err error) {
	database = databaseIn(database)
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
	for _, c := range commands {
		if !filepath.IsAbs(c.File) {
			c.File = filepath.Join(c.Directory, c.File)
		}
		words := c.Arguments
		if len(words) == 0 {
			if words, err = shell.Split(c.Command); err != nil {
				words = nil
			}
		}
		all = append(all, Compilation{c.Directory, c.File, words})
	}
	return all, nil
}

// FromDatabase returns the command for a file in a compilation database. Paths become absolute, the file becomes
// [oracle.Placeholder], and outputs go.
func FromDatabase(database, file string) ([]string, error) {
	database = databaseIn(database)
	all, err := ReadDatabase(database)
	if err != nil {
		return nil, err
	}
	wanted := real(file)
	for _, c := range all {
		if real(c.File) != wanted {
			continue
		}
		if len(c.Words) == 0 {
			return nil, fmt.Errorf("%s has no readable command for %s", database, file)
		}
		words := Alone(c.Words, c.Directory)
		for i, w := range words {
			if real(w) == wanted {
				words[i] = oracle.Placeholder
			}
		}
		return words, nil
	}
	return nil, fmt.Errorf("%s has no command for %s", database, file)
}

// Alone returns the command of a step of a build in a directory, for any directory: paths become absolute, and outputs
// go.
func Alone(words []string, directory string) []string {
	find := func(path string) string {
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(directory, path)
		}
		if _, err := os.Stat(path); err != nil {
			return ""
		}
		return path
	}
	printing := tool.OptionsOf(words[0]).Printing
	words = tool.WithoutOptions(withoutDependencies(tool.WithoutOutput(words)), func(option []string) bool {
		name, _, _ := strings.Cut(option[0], "=")
		return slices.Contains(printing, name)
	})
	return tool.AbsoluteWords(words, find)
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
