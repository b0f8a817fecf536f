package perses

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/parse"
	"whittle/pass"
)

// formulas returns parts of a formula, each with its own variables, in turns.
func formulas(parts, length int) string {
	var b strings.Builder
	for i := range parts {
		for v := range 4 {
			fmt.Fprintf(&b, "(declare-fun x%dy%d () Int)\n", i, v)
		}
	}
	for n := range length {
		for i := range parts {
			fmt.Fprintf(&b, "(assert (< x%dy%d x%dy%d))\n", i, n%4, i, (n+1)%4)
		}
	}
	return b.String() + "(check-sat)\n"
}

// One part of a formula is found by bisection: the number of questions does not depend on the length of the parts.
func TestComponents(t *testing.T) {
	for _, length := range []int{40, 200, 1000} {
		for _, parts := range []int{2, 8, 32} {
			source := formulas(parts, length)
			interesting := func(s string) bool { return strings.Count(s, "assert (< x1y") == length }
			step := Components().Search(parsed(t, "smt2", source), pass.Gate{}, by(grain.Entry().With(algo.Params{})))
			best, asked := run(step, source, interesting)
			if strings.Count(best, "\n") != 4+length+1 {
				t.Errorf("%d parts of %d: %d lines are left", parts, length, strings.Count(best, "\n"))
			}
			if most := 3 + 4*bits.Len(uint(parts)); asked > most {
				t.Errorf("%d parts of %d: %d questions, want at most %d", parts, length, asked, most)
			}
		}
	}
}

// The first statement with a name declares it, unless others like it have the name. Keywords and types connect nothing.
func TestComponentsOf(t *testing.T) {
	for _, c := range []struct{ language, source, want string }{
		{"smt2", formulas(2, 3), "[7 7]"},
		{"smt2", formulas(2, 3) + "(assert (= x0y0 x1y0))\n", "[15]"},
		{
			"sql", "CREATE TABLE a(i INT);\nCREATE TABLE b(i INT);\nCREATE TABLE c(j INT);\nCREATE TABLE d(i INT);\n" +
				"INSERT INTO a(i) VALUES(1);\nINSERT INTO c VALUES(1);\nSELECT j FROM c;\nSELECT 1;\n", "[2 1 3 1]",
		},
		{"c", "int a;\nint b;\nint c;\nint d = a;\n", "[1 1 1]"},
		{"c", "int a;\nlong b = a;\n", "[]"},
	} {
		var sizes []int
		for _, some := range componentsOf(parse.Whole(parsed(t, c.language, c.source))) {
			sizes = append(sizes, len(some))
		}
		if got := fmt.Sprint(sizes); got != c.want {
			t.Errorf("%s: components of %s statements, want %s", c.source, got, c.want)
		}
	}
}
