package pass

import (
	"bytes"
	"slices"
	"strings"

	"whittle/algo"
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
	lines, line, from := make([]int, len(t.Tokens)), 0, 0 // by token
	for i, token := range t.Tokens {
		line += bytes.Count(t.Source[from:token.Start], []byte("\n"))
		lines[i], from = line, int(token.Start)
	}
	errors, find := map[int]bool{}, c.Finder()
	for _, reason := range reasons {
		place, _, _ := strings.Cut(reason, " ")
		if token := find(place); token >= 0 {
			errors[lines[token]] = true
		}
	}
	var others []int32
	for _, n := range slices.Backward(comments) { // so a comment before a comment comes back with it
		first, end := int(t.Nodes[n].First), int(t.Nodes[n].Last)
		begins := first == 0 || lines[first-1] < lines[first]
		if begins && end < len(t.Tokens) && errors[lines[end]] {
			errors[lines[first]] = true
		}
		if !errors[lines[first]] {
			others = append(others, n)
		}
	}
	slices.Reverse(others)
	return others
}
