package pass_test

import (
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
)

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

// The next pass starts with the plainer file, although its measure is not smaller.
func TestSequencePlainer(t *testing.T) {
	language := grammars.ForFile("x.c")
	tree, err := language.Parse([]byte("int a;int b;"))
	if err != nil {
		t.Fatal(err)
	}
	saw := ""
	sees := pass.Pass{Name: "sees", Search: func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
		saw = string(t.Source)
		return nil
	}}
	search := pass.Sequence("both", pass.Layout(), sees).Search(tree, pass.Gate{}, pass.Plan{Parse: language.Parse})
	if !search.Plainer {
		t.Error("a step of the layout is not said to be plainer")
	}
	ask(search, func(*parse.Candidate) bool { return true })
	if want := "int a;\nint b;\n"; saw != want {
		t.Errorf("the next pass saw %q; want %q", saw, want)
	}
}

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
