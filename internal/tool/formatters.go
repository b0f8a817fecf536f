package tool

import (
	"slices"
	"strings"
)

// Formatter returns a command that formats a file of a language and a name on its standard input. It prefers the
// newest version of the first installed formatter; nil if none is installed.
func Formatter(language, name string) []string {
	for _, f := range formatters {
		if !slices.Contains(words(f.languages), language) {
			continue
		}
		if found := (&Tool{names: f.program}).programs(); len(found) > 0 {
			newest := slices.MaxFunc(found, CompareVersions).Path
			command := append([]string{newest}, words(f.arguments)...)
			for i := range command {
				command[i] = strings.ReplaceAll(command[i], "{name}", name)
			}
			return command
		}
	}
	return nil
}
