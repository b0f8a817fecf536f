package run

import (
	"errors"
	"strings"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/rewrite"
	"whittle/rewrite/rules"
)

// OpenRules reads a user's file of rewriting rules for a language. If it declares no places and holes,
// it uses those of the bundled rules. The error has all mistakes.
func OpenRules(path string, l grammars.Language) (*rules.Set, error) {
	text, _, err := output.ReadFile(path, "of rules")
	if err != nil {
		return nil, err
	}
	set, err := rules.Read(path, text, grammars.Rules)
	if err != nil {
		return nil, err
	}
	set = set.ReadLike(grammars.BundledRules(l.Name))
	return set, set.Check(l)
}

// families returns the user's rules, then the bundled rules, for the languages of the input. Each
// of the user's files must be valid in one of the languages.
func (r *Run) families() (families []rewrite.Family, err error) {
	languages := r.languages()
	for _, path := range r.Rules {
		var wrong error
		right := false
		for _, l := range languages {
			set, err := OpenRules(path, l)
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

// languages returns the languages of the input, or the user's own language if there is one.
func (r *Run) languages() (languages []grammars.Language) {
	if r.Language != nil {
		return []grammars.Language{*r.Language}
	}
	for name := range strings.SplitSeq(r.Input.Language.Name, ", ") {
		if l, ok := grammars.Find(name); ok {
			languages = append(languages, l)
		}
	}
	return languages
}
