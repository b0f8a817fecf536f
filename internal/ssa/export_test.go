package ssa

import (
	"slices"
	"strings"

	"whittle/parse"
	"whittle/pass"
)

// Stages returns the names of the lists.
func Stages() (names []string) {
	for _, s := range stages {
		names = append(names, s.name)
		if s.loses {
			names = append(names, s.name+kinds[aConstant], s.name+kinds[anything])
		}
	}
	return names
}

// Without returns a tree without some parts of a list, and the number of all parts.
func Without(l parse.Language, facts Facts, t *parse.Tree, name string, gone func(int) bool) (*parse.Candidate, int) {
	s := search{facts: facts, plan: pass.Plan{Parse: l.Parse}, tree: t}
	g := s.read()
	for _, st := range stages {
		if rest, ok := strings.CutPrefix(name, st.name); ok && slices.Contains(kinds, rest) {
			s.choices = []choice{choice(slices.Index(kinds, rest))}
			l := list{search: s, graph: g, parts: st.find(g), whole: parse.Whole(g.Tree)}
			var kept []int
			for i := range l.parts {
				if !gone(i) {
					kept = append(kept, i)
				}
			}
			return l.edit(kept), len(l.parts)
		}
	}
	return nil, 0
}
