// Package rulefiles reads the user's rewriting rules, and lists and shows rules.
package rulefiles

import (
	"errors"
	"strings"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/rewrite"
	"whittle/rewrite/rules"
)

// Open reads a user's file of rules for a language. If it declares no places and holes, it uses
// those of the bundled rules. The error has all mistakes.
func Open(path string, l grammars.Language) (*rules.Set, error) {
	set, err := read(path, l)
	if err == nil {
		err = set.Check(l)
	}
	return set, err
}

func read(path string, l grammars.Language) (*rules.Set, error) {
	text, _, err := output.ReadFile(path, "of rules")
	if err != nil {
		return nil, err
	}
	set, err := rules.Read(path, text, grammars.Rules)
	if err != nil {
		return nil, err
	}
	return set.ReadLike(grammars.BundledRules(l.Name)), nil
}

// Families returns the user's rules, then the bundled rules, for the languages of the input. Each
// of the user's files must be valid in one of the languages.
func Families(paths []string, languages []grammars.Language) ([]rewrite.Family, error) {
	var families []rewrite.Family
	for _, path := range paths {
		var wrong error
		right := false
		for _, l := range languages {
			set, err := Open(path, l)
			if errors.As(err, new(rules.Mistakes)) {
				wrong = errors.Join(wrong, err)
				continue
			} else if err != nil {
				return nil, err
			}
			right = true
			families = append(families, set.Families(l)...)
		}
		if !right {
			return nil, wrong
		}
	}
	for _, l := range languages {
		families = append(families, l.Rewrites()...)
	}
	return families, nil
}

// Languages returns the languages with the names, separated by ", ", or the user's own language if
// there is one.
func Languages(names string, own *grammars.Language) []grammars.Language {
	if own != nil {
		return []grammars.Language{*own}
	}
	var languages []grammars.Language
	for name := range strings.SplitSeq(names, ", ") {
		if l, ok := grammars.Find(name); ok {
			languages = append(languages, l)
		}
	}
	return languages
}
