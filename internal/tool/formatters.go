package tool

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

//go:embed formatters.txt
var formatters string

// Formatter returns a command that formats a file of a language and a name, which is its
// standard input: the first formatter of the table that is on this machine, the newest of
// it; nil if none is.
func Formatter(language, name string) []string {
	for line := range strings.Lines(formatters) {
		languages, command, ok := strings.Cut(line, " = ")
		if !ok || !slices.Contains(strings.Fields(languages), language) {
			continue
		}
		words := strings.Fields(command)
		t := &Tool{program: regexp.MustCompile(`^(?:` + words[0] + `)$`)}
		if found := t.programs(); len(found) > 0 {
			words[0] = slices.MaxFunc(found, CompareVersions).Path
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "{name}", name)
			}
			return words
		}
	}
	return nil
}
