package grammars

import (
	"embed"
	"strings"
)

//go:embed rules/*.rules
var rules embed.FS

// Rules returns the text of the rules for rewriting files of a language that whittle
// comes with; see [whittle/rewrite/rules].
func Rules(language string) (text []byte, ok bool) {
	text, err := rules.ReadFile("rules/" + language + ".rules")
	return text, err == nil
}

// WithRules returns the names of the languages that have rules, sorted.
func WithRules() (names []string) {
	entries, _ := rules.ReadDir("rules")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".rules"))
	}
	return names
}
