package rewrite_test

import (
	"fmt"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/parse"
	"whittle/pass"
	"whittle/rewrite"
)

type question struct {
	family, file string
	interesting  bool
}

// run also computes steps that are not taken if ahead is set.
func run(
	t *testing.T, source string, ahead bool, policy rounds.Policy, interesting func(file string) bool,
	families ...rewrite.Family,
) (asked []question, best string, after rounds.Policy) {
	language := grammars.ForFile("x.c")
	tree, err := language.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	plan := pass.Plan{Plan: rounds.Plan{Policy: policy, Width: 1}, Parse: language.Parse}
	gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool { return language.Errors(c.Render()) <= tree.Errors }}
	s := rewrite.Pass(families...).Search(tree, gate, plan)
	measure := parse.Whole(tree).Measure()
	for !s.Ended() {
		if ahead {
			s.Next(algo.Uninteresting)
			s.Next(algo.Interesting)
		}
		file := string(s.Candidate.Render())
		q := question{s.About.Kind(), file, interesting(file)}
		asked = append(asked, q)
		outcome := algo.Uninteresting
		if q.interesting {
			if outcome = algo.Interesting; s.Candidate.Measure().Less(measure) {
				measure, best = s.Candidate.Measure(), file
			}
		}
		s = s.Next(outcome)
	}
	return asked, best, s.End.(rounds.Policy)
}

const chain = `typedef long T;
typedef T U;
U a = 3;
int f(U x) { return x + a; }
int g(void) { return f(1); }
`

func TestPass(t *testing.T) {
	_, best, _ := run(t, chain, false, grain.Policy(grain.Defaults()), func(file string) bool {
		return strings.Contains(file, "long") && strings.Contains(file, "f(") && strings.Contains(file, "+")
	}, rewrite.Families()...)
	if got := strings.Join(strings.Fields(best), " "); strings.Contains(got, "typedef") {
		t.Errorf("%s", got)
	}
}

func TestFewQuestions(t *testing.T) {
	source := strings.Repeat(chain, 4)
	never := func(string) bool { return false }
	asked, _, after := run(t, source, false, grain.Policy(grain.Defaults()), never, rewrite.Families()...)
	weight := 4 * 43
	if n := len(asked); n == 0 || n > 3*weight {
		t.Errorf("%d questions about %d tokens without success", n, weight)
	}
	again, _, _ := run(t, source, false, after, never, rewrite.Families()...)
	if len(again) > len(asked)/2 {
		t.Errorf("%d questions about the same file after %d without success", len(again), len(asked))
	}
}

func TestPassIsPure(t *testing.T) {
	answers := func(file string) bool { return len(file)%3 == 0 }
	first, _, _ := run(t, chain, false, grain.Policy(grain.Defaults()), answers, rewrite.Families()...)
	second, _, _ := run(t, chain, true, grain.Policy(grain.Defaults()), answers, rewrite.Families()...)
	if fmt.Sprint(first) != fmt.Sprint(second) {
		t.Error("two searches of the same file differ")
	}
}
