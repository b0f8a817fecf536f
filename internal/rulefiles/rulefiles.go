// Package rulefiles finds the rules by which files are rewritten: those that whittle
// comes with, and those of the user.
package rulefiles

import (
	"errors"
	"strings"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/rewrite"
	"whittle/rewrite/rules"
)

// Open reads a user's file of rules for a language. If it has no places and holes of
// its own, those of the bundled rules are its. The error has all mistakes.
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

// Families returns the rules for a file, or for several in several languages: those of
// the user's files first. Each of these is to be right in one of the languages.
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

// Languages returns the languages of an input by their names, which ", " joins; or the
// one of them that is not in the table, as it was read from a grammar.
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
