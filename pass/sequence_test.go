package pass_test

import (
	"strings"
	"testing"

	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

// Passes in a sequence are one search, each over what those before it have come to.
func TestSequence(t *testing.T) {
	language := grammars.ForFile("x.c")
	tree, err := language.Parse([]byte("int a; int b; int c;\n"))
	if err != nil {
		t.Fatal(err)
	}
	var saw []string
	sees := pass.Pass{Name: "sees", Search: func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
		saw = append(saw, strings.TrimSpace(string(t.Source)))
		return nil
	}}
	policy := rounds.Plain(nil)
	plan := pass.Plan{Plan: rounds.Plan{Policy: policy}, Parse: language.Parse}
	best := ""
	search := pass.Sequence("both", sees, single(), sees, single(), sees).Search(tree, pass.Gate{}, plan)
	end := ask(search, func(c *parse.Candidate) bool {
		best = string(c.Render())
		return strings.Contains(best, "int b")
	})
	if want := "int a; int b; int c;,int b;,int b;"; strings.Join(saw, ",") != want {
		t.Errorf("the passes saw %q", saw)
	}
	if _, is := end.(rounds.Policy); !is {
		t.Errorf("ends with %v", end)
	}
}
