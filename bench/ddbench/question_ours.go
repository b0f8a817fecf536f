package main

import (
	"slices"
	"strings"
)

// oursRuns adds ProbDD and W_ProbDD with a lower p0 for long lists.
func oursRuns(e *evaluation) []work {
	papers := append([]string{"opdd"}, others...)
	for _, v := range published {
		papers = append(papers, v.Algorithm)
	}
	own := slices.DeleteFunc(algorithms().Names(), func(name string) bool { return slices.Contains(papers, name) })
	return append(publishedRuns(e), e.all(append(own, "probdd", "wprobdd"), 0))
}

func oursTable(_ *evaluation, grids []*grid) string {
	var parts []string
	for _, g := range grids {
		if set := g.present(); len(set) > 1 {
			parts = append(parts, g.judgement(set).String(), g.subjects(tests).String(), g.subjects(size).String())
		}
	}
	return strings.Join(parts, "\n")
}

func publishedRuns(e *evaluation) []work {
	var names []string
	for _, v := range published {
		names = append(names, v.Algorithm)
	}
	return []work{e.all(names, defaultP0)}
}
