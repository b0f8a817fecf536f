package queue_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/queue"
	"whittle/parse"
	"whittle/parse/text"
	"whittle/pass"
)

// ask continues with the candidate if it is interesting, else with base.
func ask(c, base *parse.Candidate, chance float64, next func(base *parse.Candidate) *pass.Step) *pass.Step {
	return &pass.Step{Candidate: c, Chance: chance, Next: func(o algo.Outcome) *pass.Step {
		if o == algo.Interesting {
			return next(c)
		}
		return next(base)
	}}
}

// each is a pass that tries to remove lines, one after the other, with an estimate of success.
func each(name string, chance float64, wanted func(line string) bool) pass.Pass {
	return pass.Pass{Name: name, Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		var next func(base *parse.Candidate, left []int32) *pass.Step
		next = func(base *parse.Candidate, left []int32) *pass.Step {
			if len(left) == 0 {
				return &pass.Step{End: plan.Policy}
			}
			if !wanted(strings.TrimSpace(string(base.TextOf(left[0])))) {
				return next(base, left[1:])
			}
			c := base.Drop(left[0])
			return ask(c, base, chance, func(base *parse.Candidate) *pass.Step { return next(base, left[1:]) })
		}
		return next(parse.Whole(t), parse.Whole(t).Children(0))
	}}
}

// run follows a search and returns the questions, as pass and removed lines, and the best file. The experience serves
// for a new tree.
func run(t *testing.T, p pass.Pass, file string, interesting func(file string) bool) (asked []string, best string) {
	t.Helper()
	tree, err := text.Lines.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	plan := pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.DDMin)}}
	best = file
	s := p.Search(tree, pass.Gate{}, plan)
	for !s.Ended() {
		c, outcome := string(s.Candidate.Render()), algo.Uninteresting
		gone := ""
		for line := range strings.Lines(best) {
			if !strings.Contains("\n"+c, "\n"+line) {
				gone += " " + strings.TrimSpace(line)
			}
		}
		asked = append(asked, s.Source+gone)
		if interesting(c) {
			outcome, best = algo.Interesting, c
		}
		s = s.Next(outcome)
	}
	if tree, err = text.Lines.Parse([]byte(best)); err != nil {
		t.Fatal(err)
	}
	plan.Policy = s.End.(rounds.Policy)
	p.Search(tree, pass.Gate{}, plan)
	return asked, best
}

func all(string) bool { return true }

// The question with the highest expected gain comes first, whichever pass it is from; failures make a pass wait.
func TestOrder(t *testing.T) {
	short := each("short", 0.7, func(line string) bool { return line == "a" || line == "b" })
	long := each("long", 0.5, func(line string) bool { return len(line) > 1 })
	rest := strings.Repeat("=\n", 40)
	asked, best := run(t, queue.Pass(true, short, long), "a\nb\nccccccccc\nddddddddd\n"+rest,
		func(file string) bool { return strings.Contains(file, "c") && strings.Contains(file, "d") })
	if want := []string{"long ccccccccc", "short a", "short b", "long ddddddddd"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if best != "ccccccccc\nddddddddd\n"+rest {
		t.Errorf("%q is left", best)
	}
}

// The passes share the best file: both together remove all that is not needed, and ask at most twice for each line.
func TestShared(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lines []string
		for i := range 5 + r.IntN(20) {
			lines = append(lines, fmt.Sprintf("%c%s\n", 'A'+i, strings.Repeat("x", r.IntN(9))))
		}
		needed := slices.DeleteFunc(slices.Clone(lines), func(string) bool { return r.IntN(8) > 0 })
		interesting := func(file string) bool {
			return !slices.ContainsFunc(needed, func(line string) bool { return !strings.Contains(file, line) })
		}
		q := queue.Pass(true, each("some", 0.3, all), each("same", 0.6, all))
		file, before, tests := strings.Join(lines, ""), "", 0
		for file != before {
			before = file
			asked, best := run(t, q, file, interesting)
			file, tests = best, tests+len(asked)
			if len(asked) > 2*strings.Count(before, "\n") {
				t.Fatalf("seed %d: %d questions about %q", seed, len(asked), before)
			}
		}
		if file != strings.Join(needed, "") {
			t.Fatalf("seed %d: %q is left, want %q", seed, file, needed)
		}
	}
}

// again is a pass that reads the file again after each success.
func again(p pass.Pass) pass.Pass {
	search := p.Search
	p.Search = func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		var follow func(s *pass.Step) *pass.Step
		follow = func(s *pass.Step) *pass.Step {
			if s.Ended() {
				return s
			}
			out := *s
			out.Next = func(o algo.Outcome) *pass.Step {
				if o != algo.Interesting {
					return follow(s.Next(o))
				}
				t, err := text.Lines.Parse(s.Candidate.Render())
				if err != nil {
					panic(err)
				}
				return follow(search(t, gate, plan))
			}
			return &out
		}
		return follow(search(t, gate, plan))
	}
	return p
}

// Each question of a pass with trees of its own is the best file without one line, also after successes of others.
func TestOwnTree(t *testing.T) {
	lines := strings.SplitAfter("a\nbb\nccc\ndddd\neeeee\nffffff\n"+strings.Repeat("=\n", 40), "\n")
	q := queue.Pass(true, again(each("long", 0.5, func(line string) bool { return line > "c" })),
		each("short", 0.4, func(line string) bool { return line > "=" && line < "d" }))
	asked, _ := run(t, q, strings.Join(lines, ""), all)
	if want := []string{"long ccc", "long dddd"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	last := queue.Pass(true, again(each("first", 0.4, func(line string) bool { return line > "=" && line < "c" })),
		sets("last", 0.9, []string{"dddd"}))
	asked, _ = run(t, last, "a\nbb\n"+rest+"dddd\n", func(file string) bool { return strings.Contains(file, "d") })
	if want := []string{"last dddd", "first a", "first bb"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	for needed := range 1 << 6 {
		file := strings.Join(lines, "")
		left := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return line != "" && line[0] != '=' && needed>>(line[0]-'a')&1 == 0
		})
		for before := ""; file != before; {
			before = file
			asked, best := run(t, q, file, func(file string) bool {
				return !slices.ContainsFunc(left, func(line string) bool { return !strings.Contains("\n"+file, "\n"+line) })
			})
			for _, question := range asked {
				if strings.Count(question, " ") != 1 {
					t.Fatalf("needed %b: asked %q", needed, question)
				}
			}
			file = best
		}
		if file != strings.Join(left, "") {
			t.Fatalf("needed %b: %q is left, want %q", needed, file, left)
		}
	}
}

// A question that promises too little is left out, and the pass asks its next one.
func TestWorth(t *testing.T) {
	file := "a\nbbbbbbbbbbbbbbb\nc\n" + rest
	for chance, want := range map[float64]int{0.05: 3, 0.005: 1, 0.001: 0} {
		some := each("some", chance, func(line string) bool { return line != "=" })
		asked, _ := run(t, queue.Pass(false, some), file, func(string) bool { return false })
		if len(asked) != want {
			t.Errorf("chance %g: asked %q, want %d", chance, asked, want)
		}
	}
}

// A question that leaves a name undefined or adds a syntax error waits for other questions.
func TestUndefined(t *testing.T) {
	first := each("first", 0.3, func(kind string) bool { return kind == "x" })
	other := each("other", 0.2, func(kind string) bool { return kind == "y" })
	q := queue.Pass(true, first, other)
	worse := func(_, c *parse.Candidate) bool { return bytes.Contains(c.Render(), []byte("y b; w")) }
	for file, want := range map[string]string{
		"x a; y b; z c = a;": "other", "x a; y b; z c = d;": "first", "x a; y b; w c = d;": "other",
	} {
		tree, err := grammars.ForFile("x.c").Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		s := q.Search(tree, pass.Gate{Worse: worse}, pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.DDMin)}})
		if s.Source != want {
			t.Errorf("%q: %s asks, want %s", file, s.Source, want)
		}
	}
}

// A pass that the queue gives up, since the file is much smaller, keeps its experience.
func TestExperience(t *testing.T) {
	first := each("first", 0.5, all)
	learning := pass.Pass{Name: "learning", Search: func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		s := *first.Search(t, gate, plan)
		s.Learned = func() any { return learned{plan.Policy} }
		return &s
	}}
	tree, err := text.Lines.Parse([]byte("a\nbbbbbbbb\n"))
	if err != nil {
		t.Fatal(err)
	}
	whole := each("whole", 0.9, func(line string) bool { return len(line) > 1 })
	plan := pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.DDMin)}}
	end := queue.Pass(true, whole, learning).Search(tree, pass.Gate{}, plan).Next(algo.Interesting)
	if !end.Ended() {
		t.Fatal("the queue goes on with half of the file")
	}
	plan.Policy = end.End.(rounds.Policy)
	policies, watches := map[string]bool{}, []pass.Pass{}
	for _, name := range []string{"whole", "learning"} {
		watch := pass.Pass{Search: func(_ *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
			_, policies[name] = plan.Policy.(learned)
			return nil
		}}
		watches = append(watches, watch)
	}
	queue.Pass(true, watches...).Search(tree, pass.Gate{}, plan)
	if policies["whole"] || !policies["learning"] {
		t.Errorf("passes with experience: %v", policies)
	}
}

type learned struct{ rounds.Policy }
