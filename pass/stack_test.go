package pass_test

import (
	"slices"
	"strings"
	"testing"

	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

// stack returns the best file and the number of questions. An edit is a text of the file and the lines that replace it.
func stack(t *testing.T, file string, alternatives [][]string, interesting func(file string) bool) (string, int) {
	t.Helper()
	tree, err := grammars.ForFile("a.py").Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var edits [][]pass.TextEdit
	for _, a := range alternatives {
		var own []pass.TextEdit
		for pair := range slices.Chunk(a, 2) {
			from := strings.Index(file, pair[0])
			e := pass.TextEdit{From: from, To: from + len(pair[0])}
			if pair[1] != "" {
				e.Lines = strings.Split(pair[1], "\n")
			}
			own = append(own, e)
		}
		edits = append(edits, own)
	}
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64}}
	gate := pass.Gate{Fits: func(base, c *parse.Candidate) bool { return c.Weight() < base.Weight() }}
	step := pass.Stack(func([]byte) pass.Raised { return pass.Raised{Edits: edits} }).Search(tree, gate, plan)
	return bestOf(step, file, interesting)
}

const stacked = `def f(a):
    b = [a, 1, 2, 3]
    for c in b:
        g(c,
          "a  b")
def g(c, d):
    e = c + 1 + 2 + 3 + 4 + 5
    raise E(d)
x = 1 + 2 + 3
f(x, 2, 3, 4)
`

func edits(text string) (bodyOfF, bodyOfG string) {
	_, text, _ = strings.Cut(text, "def f(a):\n    ")
	bodyOfF, text, _ = strings.Cut(text, "\ndef g(c, d):\n    ")
	bodyOfG, _, _ = strings.Cut(text, "\nx = ")
	return bodyOfF, bodyOfG
}

func TestStack(t *testing.T) {
	f, g := edits(stacked)
	all := []string{f, "c = 'x  {' != 1\ng(c, \"a  b\")", g, "raise E(f'{0}')", "x = 1 + 2 + 3", ""}
	direct := append(slices.Clip(all), "f(x, 2, 3, 4)", "g(0, 0)")
	for _, test := range []struct {
		interesting func(file string) bool
		want        string
		asked       int
	}{
		{func(string) bool { return true }, `def f(a):
    c = 'x  {' != 1
    g(c, "a  b")
def g(c, d):
    raise E(f'{0}')
g(0, 0)
`, 1},
		{func(file string) bool { return strings.Contains(file, "f(x") }, `def f(a):
    c = 'x  {' != 1
    g(c, "a  b")
def g(c, d):
    raise E(f'{0}')
f(x, 2, 3, 4)
`, 2},
		{func(file string) bool { return strings.Contains(file, "f(x") && strings.Contains(file, "E(d)") }, `def f(a):
    c = 'x  {' != 1
    g(c, "a  b")
def g(c, d):
    e = c + 1 + 2 + 3 + 4 + 5
    raise E(d)
f(x, 2, 3, 4)
`, 6},
		{func(string) bool { return false }, stacked, 6},
	} {
		got, asked := stack(t, stacked, [][]string{direct, all}, test.interesting)
		if got != test.want || asked > test.asked {
			t.Errorf("%d questions:\n%s", asked, got)
		}
	}
}
