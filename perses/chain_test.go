package perses_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/parse"
)

// A nest is a file with nested constructs of one kind.
type nest struct {
	name, language          string
	before, open, core, end string // the levels are open and end
	after, kind             string
	least                   int // an XML file has an element
}

var nests = []nest{
	{"calls", "c", "int x = ", "f(", "y", ")", ";\n", "call_expression", 0},
	{"parentheses", "c", "int x = ", "(", "y", ")", ";\n", "parenthesized_expression", 0},
	{"blocks", "c", "void f() ", "{", "", "}", "\n", "compound_statement", 0},
	{"elements", "xml", "", "<a>", "b", "</a>", "\n", "element", 1},
	{"arrays", "json", "", "[", "1", "]", "\n", "array", 0},
	{"lists", "python", "x = ", "[", "1", "]", "\n", "list", 0},
}

func (n nest) source(levels int) []byte {
	return []byte(n.before + strings.Repeat(n.open, levels) + n.core + strings.Repeat(n.end, levels) + n.after)
}

// depth returns the number of nested constructs of the kind.
func (n nest) depth(t *parse.Tree) int {
	most := 0
	depths := make([]int, len(t.Nodes))
	for m := range t.Nodes {
		if p := t.Nodes[m].Parent; m > 0 {
			depths[m] = depths[p]
		}
		if t.Is(int32(m), n.kind) {
			depths[m]++
		}
		most = max(most, depths[m])
	}
	return most
}

// A nest is searched like a list: the number of tests grows with the logarithm of the number of levels. It is at most
// 49 for 600 levels.
func TestChain(t *testing.T) {
	for _, n := range nests {
		l, _ := grammars.Find(n.language)
		for _, part := range []struct {
			name   string
			needed func(levels int) int
		}{
			{"none", func(int) int { return 0 }},
			{"one", func(int) int { return 1 }},
			{"a third", func(levels int) int { return levels / 3 }},
			{"two thirds", func(levels int) int { return 2 * levels / 3 }},
			{"all", func(levels int) int { return levels }},
		} {
			for _, levels := range []int{75, 150, 300, 600} {
				if testing.Short() && levels > 150 {
					continue
				}
				needed, tests := part.needed(levels), 0
				property := func(_ context.Context, file []byte) (algo.Outcome, error) {
					tests++
					tree, err := l.Parse(file)
					if err != nil {
						return 0, err
					}
					if tree.Errors == 0 && n.depth(tree) >= needed {
						return algo.Interesting, nil
					}
					return algo.Uninteresting, nil
				}
				input := n.source(levels)
				r, err := whittle.Reduce(t.Context(), whittle.Options{Input: input, Language: l, Property: property})
				if err != nil {
					t.Fatal(err)
				}
				tree, _ := l.Parse(r.File)
				left := n.depth(tree)
				least := max(needed, n.least)
				if most := 40 + math.Log2(float64(levels)); left != least || float64(tests) > most {
					t.Errorf("%s, %s of %d levels needed: %d left, want %d; %d tests, at most %.0f expected",
						n.name, part.name, levels, left, least, tests, most)
				}
				t.Logf("%-12s %-10s %4d levels: %4d left, %4d tests", n.name, part.name, levels, left, tests)
			}
		}
	}
}
