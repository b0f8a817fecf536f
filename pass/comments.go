package pass

import (
	"slices"
	"sort"
	"strings"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
)

// Comments tries the file without all comments, as one candidate. Comments next to an error, which may be directives
// such as // @ts-ignore, come back. If that is not interesting, it tries it without plain comments, and without nodes
// that are only parsed like comments, such as attributes in C++.
func Comments() Pass { return Pass{Name: "comments", When: First, Search: comments} }

func comments(t *parse.Tree, gate Gate, _ Plan) *Step {
	var all, texts, asides []int32
	for n := range int32(len(t.Nodes)) {
		if n == 0 || !t.Nodes[n].Comment {
			continue
		}
		all = append(all, n)
		if t.IsLeaf(n) {
			texts = append(texts, n)
		} else {
			asides = append(asides, n)
		}
	}
	base := parse.Whole(t)
	return without(base, all, gate, repairs, func() *Step {
		if len(texts) == 0 || len(asides) == 0 {
			return nil
		}
		return without(base, texts, gate, 0, func() *Step {
			return without(base, asides, gate, 0, func() *Step { return nil })
		})
	})
}

// mostly is the probability that comments can be removed.
const mostly = 0.9

func without(base *parse.Candidate, nodes []int32, gate Gate, tries int, otherwise func() *Step) *Step {
	c := base.Drop(nodes...)
	if len(nodes) == 0 || !gate.Allows(base, c) {
		return otherwise()
	}
	return &Step{Candidate: c, Chance: mostly, Next: func(o algo.Outcome) *Step {
		if o == algo.Interesting {
			return nil
		}
		return otherwise()
	}, Repair: func(reasons []string) *Step {
		others := awayFrom(c, nodes, reasons)
		if tries == 0 || len(others) == len(nodes) {
			return nil
		}
		return without(base, others, gate, tries-1, otherwise)
	}}
}

// awayFrom returns the comments that neither end a line with an error nor are before such a line.
func awayFrom(c *parse.Candidate, comments []int32, reasons []string) []int32 {
	t := c.Tree()
	var starts []int // of lines
	for i, b := range t.Source {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	line := func(token int) int { return sort.SearchInts(starts, int(t.Tokens[token].Start)+1) }
	errors := map[int]bool{}
	find := c.Finder()
	for _, reason := range reasons {
		place, _, _ := strings.Cut(strings.TrimPrefix(reason, oracle.Place), " ")
		if token := find(place); token >= 0 {
			errors[line(token)] = true
		}
	}
	var others []int32
	for _, n := range slices.Backward(comments) { // so a comment before a comment comes back with it
		first, end := int(t.Nodes[n].First), int(t.Nodes[n].Last)
		begins := first == 0 || line(first-1) < line(first)
		if begins && end < len(t.Tokens) && errors[line(end)] {
			errors[line(first)] = true
		}
		if !errors[line(first)] {
			others = append(others, n)
		}
	}
	slices.Reverse(others)
	return others
}
