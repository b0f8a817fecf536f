package tool

import (
	"slices"
	"strings"

	"whittle/oracle"
)

// IncludeDirs returns the include directories of a command.
func IncludeDirs(words []string) (dirs []string) {
	c, _ := open(words)
	for i, w := range words[1:] {
		for _, option := range c.tool.Include {
			switch dir, joined := strings.CutPrefix(w, option); {
			case joined && dir != "":
				dirs = append(dirs, dir)
			case joined && i+2 < len(words):
				dirs = append(dirs, words[i+2])
			}
		}
	}
	return dirs
}

// Resolved removes the options that have no effect on a preprocessed file.
func Resolved(words []string) []string {
	resolved := OptionsOf(words[0]).Resolved
	return WithoutOptions(words, func(option []string) bool {
		return slices.ContainsFunc(resolved, func(o string) bool { return strings.HasPrefix(option[0], o) })
	})
}

// WithoutOptions removes options of the tool in a command, each with its value.
func WithoutOptions(words []string, remove func(option []string) bool) []string {
	c, start := open(words)
	kept := slices.Clone(words[:start])
	for i := start; i < len(words); i = c.option(i) {
		if option := words[i:c.option(i)]; !isOption(words[i]) || !remove(option) {
			kept = append(kept, option...)
		}
	}
	return kept
}

// Operands returns the indices of the words that are neither options nor their values.
func Operands(words []string) (operands []int) {
	c, start := open(words)
	for i := start; i < len(words); i = c.option(i) {
		if !isOption(words[i]) {
			operands = append(operands, i)
		}
	}
	return operands
}

// Preprocess returns commands that write the preprocessed file, shortest output first. Tools without a
// preprocessor have no such commands.
func Preprocess(words []string, file, output string) (commands [][]string) {
	c := NewReducible(words)
	if !slices.Contains(words, oracle.Placeholder) {
		return nil
	}
	for _, row := range c.tool.Preprocess {
		command := []string{words[0]}
		for i := 1; i < len(words); i = c.option(i) {
			if !c.tool.Keeps(words[i]) {
				command = append(command, words[i:c.option(i)]...)
			}
		}
		for i, w := range command {
			command[i] = strings.ReplaceAll(w, oracle.Placeholder, file)
		}
		commands = append(commands, slices.Concat(command, row, []string{"-o", output}))
	}
	return commands
}
