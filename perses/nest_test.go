package perses_test

import (
	"bytes"
	"context"
	"math"
	"strconv"
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
	before, open, core, end string // the levels are open and end; # is the number of a level
	after, kind             string
	least                   int    // an XML file has an element
	mark                    string // a text that only one level has
}

var nests = []nest{
	{"calls", "c", "int x = ", "f(", "y", ")", ";\n", "call_expression", 0, ""},
	{"parentheses", "c", "int x = ", "(", "y", ")", ";\n", "parenthesized_expression", 0, ""},
	{"blocks", "c", "void f() ", "{", "", "}", "\n", "compound_statement", 0, ""},
	{"elements", "xml", "", "<a>", "b", "</a>", "\n", "element", 1, ""},
	{"arrays", "json", "", "[", "1", "]", "\n", "array", 0, ""},
	{"lists", "python", "x = ", "[", "1", "]", "\n", "list", 0, ""},
	{"types", "rust", "type T = ", "A<", "B", ">", ";\n", "generic_type", 0, ""},
}

// numbered are nests with different levels.
var numbered = []nest{
	{"functions", "c", "int x = ", "f#(", "y", ")", ";\n", "call_expression", 0, "f#("},
	{"arguments", "c", "int x = ", "f(", "y", ", a#)", ";\n", "call_expression", 0, ", a#)"},
	{"elements", "xml", "", "<a#>", "b", "</a#>", "\n", "element", 1, "<a#>"},
	{"statements", "c", "void f() {", "if (a#) {", "b();", "}", "}\n", "if_statement", 0, "(a#)"},
	{"types", "rust", "type T = ", "A#<", "B", ">", ";\n", "generic_type", 0, "A#<"},
}

func number(s string, i int) string { return strings.ReplaceAll(s, "#", strconv.Itoa(i)) }

func (n nest) source(levels int) []byte {
	open, end := "", ""
	for i := range levels {
		open, end = open+number(n.open, i), number(n.end, i)+end
	}
	return []byte(n.before + open + n.core + end + n.after)
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

// reduce returns the result and the number of tests.
func (n nest) reduce(t *testing.T, levels int, needs func(*parse.Tree) bool) (*parse.Tree, int) {
	t.Helper()
	l, _ := grammars.Find(n.language)
	tests := 0
	property := func(_ context.Context, file []byte) (algo.Outcome, error) {
		tests++
		tree, err := l.Parse(file)
		if err != nil {
			return 0, err
		}
		if tree.Errors == 0 && needs(tree) {
			return algo.Interesting, nil
		}
		return algo.Uninteresting, nil
	}
	r, err := whittle.Reduce(t.Context(), whittle.Options{Input: n.source(levels), Language: l, Property: property})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := l.Parse(r.File)
	if err != nil {
		t.Fatal(err)
	}
	return tree, tests
}

// A nest is searched like a list: the number of tests grows with the logarithm of the number of levels. It is at most
// 40 for 600 levels.
func TestChain(t *testing.T) {
	for _, n := range nests {
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
				needed := part.needed(levels)
				tree, tests := n.reduce(t, levels, func(tree *parse.Tree) bool { return n.depth(tree) >= needed })
				left, least := n.depth(tree), max(needed, n.least)
				if most := 26 + 1.5*math.Log2(float64(levels)); left != least || float64(tests) > most {
					t.Errorf("%s, %s of %d levels needed: %d left, want %d; %d tests, at most %.0f expected",
						n.name, part.name, levels, left, least, tests, most)
				}
				t.Logf("%-12s %-10s %4d levels: %4d left, %4d tests", n.name, part.name, levels, left, tests)
			}
		}
	}
}

// A few required levels among different ones also take a logarithmic number of tests.
func TestChainOfDifferentLevels(t *testing.T) {
	const few = 3
	for _, n := range numbered {
		for _, levels := range []int{75, 150, 300, 600, 1200, 2400} {
			if testing.Short() && levels > 600 {
				continue
			}
			tree, tests := n.reduce(t, levels, func(tree *parse.Tree) bool {
				for k := range few {
					if !bytes.Contains(tree.Source, []byte(number(n.mark, (2*k+1)*levels/(2*few)))) {
						return false
					}
				}
				return true
			})
			left := n.depth(tree)
			extra := 3 * float64(few-left) // tests that delete a required level, as arguments remain
			if most := 37 + extra + 4.5*math.Log2(float64(levels)); left > few || float64(tests) > most {
				t.Errorf("%s, %d of %d levels needed: %d left; %d tests, at most %.0f expected",
					n.name, few, levels, left, tests, most)
			}
			t.Logf("%-12s %4d levels: %4d left, %4d tests", n.name, levels, left, tests)
		}
	}
}
