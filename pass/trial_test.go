package pass_test

import (
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
	"whittle/perses"
)

// A trial whose candidate is worse is kept if the usual passes make it better than
// its base, and is nothing otherwise; it asks no more than it may.
func TestTry(t *testing.T) {
	const source = "int a; int b; int c; int d;\n"
	language := grammars.ForFile("x.c")
	tree, err := language.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	base := parse.Whole(tree)
	// Worse by a token: it has x in front.
	worse := base.Apply(parse.Edit{With: []parse.Piece{parse.Literal("", "x")}})
	if worse.Weight() != base.Weight()+1 || !base.Measure().Less(worse.Measure()) {
		t.Fatalf("%q weighs %d", worse.Render(), worse.Weight())
	}
	plan := pass.Plan{Usual: []pass.Pass{pass.Comments(), single()}, Parse: language.Parse}
	for _, x := range []struct {
		needs     string // with x in front
		questions int
		want      string // "" if the trial comes to nothing
	}{
		{"x", 50, "x int a;"},
		{"int c", 50, "int c;"},
		{"int a", 50, "x int a;"},
		{"int b; int c; int d", 50, "int b; int c; int d;"},
		{"int a; int b; int c; int d", 50, ""},
		{"x int a; int b; int c; int d", 50, ""},
		{"y", 50, ""},
		{"x", 1, ""},
		{"x", 3, "x int a; int c; int d;"},
		{"x", 0, ""},
	} {
		var kept *parse.Tree
		asked := 0
		s := plan.Try(pass.Gate{}, base, worse, x.questions, func(better *parse.Tree) *pass.Step {
			kept = better
			return nil
		})
		ask(s, func(c *parse.Candidate) bool {
			asked++
			text := string(c.Render())
			return strings.Contains(text, x.needs) && (text[0] == 'x' || asked > 1)
		})
		got := ""
		if kept != nil {
			got = strings.TrimSpace(string(kept.Source))
		}
		if got != x.want || asked > x.questions {
			t.Errorf("with %d questions for %q: %q, want %q (asked %d)", x.questions, x.needs, got, x.want, asked)
		}
	}
}

// ask follows a search to its end.
func ask(s *pass.Step, interesting func(*parse.Candidate) bool) (end any) {
	for !s.Ended() {
		if s.Fork != nil {
			ends := make([]any, len(s.Fork))
			for i, part := range s.Fork {
				ends[i] = ask(part(), interesting)
			}
			s = s.Join(ends)
			continue
		}
		o := algo.Uninteresting
		if interesting(s.Candidate) {
			o = algo.Interesting
		}
		s = s.Next(o)
	}
	if s == nil {
		return nil
	}
	return s.End
}

// Passes that ask in forks are followed, too.
func TestTryForks(t *testing.T) {
	language := grammars.ForFile("x.c")
	tree, err := language.Parse([]byte(strings.Repeat("int f(void) { if (1) { g(1 + 2); } return 3; }\n", 4)))
	if err != nil {
		t.Fatal(err)
	}
	base := parse.Whole(tree)
	worse := base.Apply(parse.Edit{With: []parse.Piece{parse.Literal("", "int"), parse.Literal(" ", "x"),
		parse.Literal("", ";")}})
	plan := pass.Plan{
		Plan:  rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64},
		Usual: []pass.Pass{perses.Queue(), perses.Slices()}, Parse: language.Parse,
	}
	got := ""
	s := plan.Try(pass.Gate{}, base, worse, 500, func(better *parse.Tree) *pass.Step {
		got = string(better.Source)
		return nil
	})
	ask(s, func(c *parse.Candidate) bool {
		text := string(c.Render())
		return strings.Contains(text, "x;") && strings.Contains(text, "g(") && strings.Contains(text, "3")
	})
	if want := "x;g(3"; strings.Join(strings.Fields(got), "") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// single drops each child of the root, one after the other.
func single() pass.Pass {
	return pass.Pass{Name: "single", Search: func(tree *parse.Tree, gate pass.Gate, _ pass.Plan) *pass.Step {
		base := parse.Whole(tree)
		return each(base, base.Children(0), gate)
	}}
}

func each(base *parse.Candidate, items []int32, gate pass.Gate) *pass.Step {
	if len(items) == 0 {
		return nil
	}
	c := base.Drop(items[0])
	if !gate.Allows(base, c) {
		return each(base, items[1:], gate)
	}
	return &pass.Step{Candidate: c, Next: func(o algo.Outcome) *pass.Step {
		if o == algo.Interesting {
			return each(c, items[1:], gate)
		}
		return each(base, items[1:], gate)
	}}
}
