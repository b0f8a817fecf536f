package grammars

import (
	"embed"
	"slices"
	"strings"

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
			if set.Stub != "" && len(languages) == 1 {
				passes = withStub(set.Stub, passes)
			}
		}
		return passes
	}
}

func withStub(stub string, passes []pass.Pass) []pass.Pass {
	passes = slices.Clone(passes)
	for i, p := range passes {
		passes[i].Search = func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
			plan.Stub = stub
			return p.Search(t, gate, plan)
		}
	}
	return passes
}
