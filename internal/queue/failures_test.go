package queue_test

import (
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/internal/queue"
	"whittle/parse"
	"whittle/parse/text"
	"whittle/pass"
)

// sets is a pass that tries to remove sets of lines, one after the other.
func sets(name string, chance float64, all ...[]string) pass.Pass {
	return pass.Pass{Name: name, Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		var next func(base *parse.Candidate, left [][]string) *pass.Step
		next = func(base *parse.Candidate, left [][]string) *pass.Step {
			if len(left) == 0 {
				return &pass.Step{End: plan.Policy}
			}
			c := base
			for _, n := range base.Children(0) {
				if slices.Contains(left[0], strings.TrimSpace(string(base.TextOf(n)))) {
					c = c.Drop(n)
				}
			}
			return ask(c, base, chance, func(base *parse.Candidate) *pass.Step { return next(base, left[1:]) })
		}
		return next(parse.Whole(t), all)
	}}
}

// closed returns p with questions that delete something with all that needs it.
func closed(p pass.Pass, q algo.Question) pass.Pass {
	search := p.Search
	var about func(s *pass.Step) *pass.Step
	about = func(s *pass.Step) *pass.Step {
		if s.Ended() {
			return s
		}
		c := *s
		c.About = &q
		c.Next = func(o algo.Outcome) *pass.Step { return about(s.Next(o)) }
		return &c
	}
	p.Search = func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step { return about(search(t, gate, plan)) }
	return p
}

var rest = strings.Repeat("=\n", 60)

// A failed edit is not asked again, by any pass, unless the number of its words has changed.
func TestRepeated(t *testing.T) {
	one := sets("one", 0.9, []string{"a"}, []string{"a b"})
	two := sets("two", 0.5, []string{"c"}, []string{"a"})
	q := queue.Pass(false, one, two)
	needs := func(lines ...string) func(string) bool {
		return func(file string) bool {
			return !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains("\n"+file, "\n"+line+"\n") })
		}
	}
	for _, test := range []struct {
		needed, asked []string
	}{
		{[]string{"a", "a b", "c"}, []string{"one a", "one a b", "two c"}},
		{[]string{"a", "c"}, []string{"one a", "one a b", "two c", "two a"}},
	} {
		if asked, _ := run(t, q, "a\na b\nc\n"+rest, needs(test.needed...)); !slices.Equal(asked, test.asked) {
			t.Errorf("%q needed: asked %q, want %q", test.needed, asked, test.asked)
		}
	}
}

// A deletion that contains failed ones waits for others. A new tree of the same file keeps the failures.
func TestContained(t *testing.T) {
	one := sets("one", 0.9, []string{"a"}, []string{"b"}, []string{"c"})
	all := sets("all", 0.15, []string{"a", "b", "c", "d"}, []string{"d"})
	pair := sets("pair", 0.1, []string{"e", "f"})
	file := "a\nb\nc\nd\ne\nf\n" + rest
	needed := func(file string) bool { return strings.HasPrefix(file, "a\nb\nc\nd\n") }
	want := []string{"one a", "one b", "one c", "pair e f", "all a b c d", "all d"}
	if asked, _ := run(t, queue.Pass(false, one, all, pair), file, needed); !slices.Equal(asked, want) {
		t.Fatalf("asked %q, want %q", asked, want)
	}

	// A definition does not wait, nor does a parameter.
	want = []string{"one a", "one b", "all a b c d", "one c", "pair e f", "all d"}
	for _, q := range []algo.Question{
		{List: &algo.List{Closed: true}, Left: []int{0}},
		{List: &algo.List{Closed: true, Mode: algo.Choices}, Left: []int{0}, Kept: []int{0}},
	} {
		if asked, _ := run(t, queue.Pass(false, one, closed(all, q), pair), file, needed); !slices.Equal(asked, want) {
			t.Fatalf("%v: asked %q, want %q", q.List.Mode, asked, want)
		}
	}

	tree, err := text.Lines.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	plan := pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.DDMin)}}
	ask := queue.Pass(false, one, one, one).Search(tree, pass.Gate{}, plan)
	for range 3 {
		ask = ask.Next(algo.Uninteresting)
	}
	plan.Policy = ask.End.(rounds.Policy)
	first := queue.Pass(false, all, pair, pair).Search(tree, pass.Gate{}, plan)
	if first.Source != "pair" {
		t.Errorf("%s asks first, want pair", first.Source)
	}

	// Where the grammar does not know the file, the parts of a node say less.
	choice := algo.Question{List: &algo.List{Mode: algo.Choices, Kinds: []string{""}}, Left: []int{0}, Kept: []int{0}}
	for errors, want := range []string{"pair", "all"} {
		if tree, err = text.Lines.Parse([]byte("a\nb\nc\nd\ne\nf\n")); err != nil {
			t.Fatal(err)
		}
		tree.Errors, plan.Policy = errors, rounds.Plain(algo.DDMin)
		ask := queue.Pass(false, one, closed(all, choice), pair).Search(tree, pass.Gate{}, plan)
		for range 3 {
			ask = ask.Next(algo.Uninteresting)
		}
		if ask.Source != want {
			t.Errorf("with %d syntax errors %s asks, want %s", errors, ask.Source, want)
		}
	}
}

// A failed edit is asked again in a new tree only if the file is much smaller.
func TestForgotten(t *testing.T) {
	q := queue.Pass(false, sets("one", 0.9, []string{"a"}))
	for left, want := range map[int]bool{60: false, 52: false, 40: true} {
		plan := pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.DDMin)}}
		for i, lines := range []int{60, left} {
			tree, err := text.Lines.Parse([]byte("a\n" + strings.Repeat("=\n", lines)))
			if err != nil {
				t.Fatal(err)
			}
			ask := q.Search(tree, pass.Gate{}, plan)
			if asks := !ask.Ended(); asks != (i == 0 || want) {
				t.Errorf("tree %d of %d lines: asks %v", i, lines, asks)
			}
			if i == 0 {
				plan.Policy = ask.Next(algo.Uninteresting).End.(rounds.Policy)
			}
		}
	}
}

// A round without a change forgets the failures of a long search: at least 15 for each token of the result.
func TestRepeatedOnce(t *testing.T) {
	file, lines := "", [][]string{}
	for i := range 15 {
		line := strings.Repeat("a", i+1)
		file, lines = file+line+"\n", append(lines, []string{line})
	}
	tree, err := text.Lines.Parse([]byte(file + rest))
	if err != nil {
		t.Fatal(err)
	}
	q := queue.Pass(false, sets("one", 0.9, lines...))
	for tokens, want := range map[int]bool{1: true, 2: false} {
		plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults())}}
		ask := q.Search(tree, pass.Gate{}, plan)
		for range 15 {
			ask = ask.Next(algo.Uninteresting)
		}
		plan.Policy = ask.End.(rounds.Policy).Round(tokens, tokens)
		if asks := !q.Search(tree, pass.Gate{}, plan).Ended(); asks != want {
			t.Errorf("%d tokens: asks %v, want %v", tokens, asks, want)
		}
	}
}
