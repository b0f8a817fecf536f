package whittle_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

// Dependents are a file of declarations d1, d2, … that mention the previous one.
type dependents struct {
	name, file   string
	first, other string // the first declaration; another one: [1] is its number, [2] of the previous one
	declared     string // how a name is declared
	head         string
}

var chainsOf = []dependents{
	{name: "structs", file: "a.c", first: "struct d%[1]d { int a; };\n",
		other: "struct d%[1]d { int a, b[4]; long c; struct d%[2]d m; char *e; unsigned long f[2][8]; };\n", declared: `struct %s \{`},
	{name: "functions", file: "a.c", first: "int d%[1]d(int x) { return x; }\n",
		other: "int d%[1]d(int x) { int a = x * 2; for (int i = 0; i < x; i++) { a += i; } if (a > 7) { a = a - x; } " +
			"int b = d%[2]d(a + 1); while (b > 9) { b = b / 2; } return a + b; }\n", declared: `(?:int|void) %s\(`},
	{name: "typedefs", file: "a.c", first: "typedef int d%[1]d;\n", other: "typedef d%[2]d d%[1]d;\n", declared: `typedef \w+ %s;`},
	{name: "macros", file: "a.c", first: "#define d%[1]d 1\n", other: "#define d%[1]d (d%[2]d + 3 * 4 - (5 << 2))\n", declared: `#define %s\b`},
	{name: "variables", file: "a.c", first: "int d%[1]d = 1;\n", other: "int *d%[1]d = (int *)(&d%[2]d + 2 * 3 - 1);\n", declared: `\bint \*?%s\b`},
	{name: "go", file: "a.go", head: "package p\n\n", first: "type d%[1]d struct{ a int }\n",
		other:    "type d%[1]d struct {\n\ta, b int\n\tc map[string]int\n\tm d%[2]d\n\te []byte\n}\n\n",
		declared: `type %s (?:struct|int)`},
	{name: "python", file: "a.py", first: "def d%[1]d(x):\n    return x\n",
		other: "def d%[1]d(x):\n    a = x * 2\n    for i in range(x):\n        a += i\n    if a > 7:\n        a = a - x\n    b = d%[2]d(a + 1)\n    return a + b\n", declared: `def %s\(`},
	{name: "rust", file: "a.rs", first: "struct d%[1]d { a: u8 }\n",
		other: "struct d%[1]d { a: u8, b: Vec<u16>, m: d%[2]d, c: [u8; 4] }\n", declared: `struct %s\b`},
}

var used = regexp.MustCompile(`\bd\d+\b`)

// source returns n declarations. Each but the first mentions the previous one.
func (c dependents) source(n int) string {
	b := c.head
	for i := 1; i <= n; i++ {
		if i == 1 {
			b += fmt.Sprintf(c.first, i)
		} else {
			b += fmt.Sprintf(c.other, i, i-1)
		}
	}
	return b
}

// resolves reports whether all used names are declared, and whether the declarations after some are still there, each
// with a use of the previous one.
func (c dependents) resolves(file string, after, n int) bool {
	for _, name := range used.FindAllString(file, -1) {
		if !regexp.MustCompile(fmt.Sprintf(c.declared, name)).MatchString(file) {
			return false
		}
	}
	for i := n; i > after; i-- {
		uses := strings.Count(file, fmt.Sprintf("d%d", i)) // also as a part, which is too many only
		if !regexp.MustCompile(fmt.Sprintf(c.declared, fmt.Sprintf("d%d", i))).MatchString(file) || i < n && uses < 2 {
			return false
		}
	}
	return true
}

// The cut that ends a chain is found by bisection: with one needed link the number of tests does not grow with the
// chain. Ten needed links have only a bound: for structs of Rust the tests still grow with the chain.
func TestChains(t *testing.T) {
	limits, sizes := map[int]int{1: 25, 10: 900}, []int{20, 40, 80, 160}
	if testing.Short() {
		limits, sizes = map[int]int{1: 25}, []int{20, 40}
	}
	for _, c := range chainsOf {
		for links, most := range limits {
			least := 0 // tests of the shorter chain
			for _, n := range sizes {
				tests := 0
				property := func(_ context.Context, file []byte) (algo.Outcome, error) {
					tests++
					if c.resolves(string(file), n-links, n) {
						return algo.Interesting, nil
					}
					return algo.Uninteresting, nil
				}
				input := []byte(c.source(n))
				o := whittle.Options{Input: input, Language: grammars.ForFile(c.file), KeepNames: true, Property: property}
				result, err := whittle.Reduce(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%-10s %2d of %3d needed: %4d of %5d tokens, %4d tests", c.name, links, n, result.Tokens, result.TokensAtAll, tests)
				if tests > most || links == 1 && n > 20 && tests > least+2 {
					t.Errorf("%s: %d tests for %d declarations, %d needed", c.name, tests, n, links)
				}
				least = tests
			}
		}
	}
}
