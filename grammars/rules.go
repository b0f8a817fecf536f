package grammars

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"whittle/internal/ssa"
	"whittle/parse"
	"whittle/pass"
	"whittle/rewrite"
	"whittle/rewrite/rules"
)

//go:embed rules/*.rules
var ruleFiles embed.FS

// Rules returns the text of the bundled rewriting rules for a language; see [rules.Read].
func Rules(language string) (text []byte, ok bool) {
	text, err := ruleFiles.ReadFile("rules/" + language + ".rules")
	return text, err == nil
}

// WithRules returns the names of the languages that have bundled rules, sorted.
func WithRules() (names []string) {
	entries, _ := ruleFiles.ReadDir("rules")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".rules"))
	}
	return names
}

// BundledRules returns the bundled rewriting rules for a language. The set may be empty.
func BundledRules(language string) *rules.Set {
	text, _ := Rules(language)
	set, err := rules.Read(language+".rules", text, Rules)
	if err != nil {
		panic(err) // a test reads them all
	}
	return set
}

var bundledSets sync.Map // by language

// factsOf is BundledRules with a cache.
func factsOf(language string) *rules.Set {
	set, known := bundledSets.Load(language)
	if !known {
		set, _ = bundledSets.LoadOrStore(language, BundledRules(language))
	}
	return set.(*rules.Set)
}

// wordAfter returns the word after another one that begins a line, without punctuation around them.
func wordAfter(word, text string) string {
	plain := func(c rune) bool { return strings.ContainsRune(" \t\r\n\"',;:={}()", c) }
	for line := range strings.Lines(text) {
		if words := strings.FieldsFunc(line, plain); len(words) > 1 && words[0] == word {
			return words[1]
		}
	}
	return ""
}

// Rewrites returns the bundled rewriting rules for files in this language.
func (l Language) Rewrites() []rewrite.Family { return BundledRules(l.Name).Families(l) }

// Adapt returns a function that changes the passes of a driver for some languages.
func Adapt(languages ...Language) func([]pass.Pass) []pass.Pass {
	return func(passes []pass.Pass) []pass.Pass {
		for _, l := range languages {
			set := BundledRules(l.Name)
			if set.Values != nil {
				passes = ssa.Passes(set.Values, passes)
			}
			if len(languages) == 1 {
				passes = l.WithFacts(passes...)
			}
		}
		return passes
	}
}

// WithFacts returns passes whose plans have the facts of the language.
func (l Language) WithFacts(passes ...pass.Pass) []pass.Pass {
	facts, passes := factsOf(l.Name).Facts, slices.Clone(passes)
	for i, p := range passes {
		passes[i].Search = func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
			plan.Facts = facts
			return p.Search(t, gate, plan)
		}
	}
	return passes
}
