package wide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/deps"
	"whittle/internal/testkit/cases"
	"whittle/parse"
	"whittle/pass"
	"whittle/perses"
)

// program is a C file of functions that call each other.
func program(r *rand.Rand, functions int) string {
	var b strings.Builder
	for i := range functions {
		fmt.Fprintf(&b, "int f%d(void) {\n", i)
		for k := range 1 + r.IntN(8) {
			fmt.Fprintf(&b, "  x%d_%d = %d;\n", i, k, r.IntN(100))
		}
		if i > 0 {
			fmt.Fprintf(&b, "  return f%d();\n", r.IntN(i))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// calls reports whether all called functions are defined, as a linker requires.
func calls(file string) bool {
	for _, call := range strings.SplitAfter(file, "return f")[1:] {
		name, _, _ := strings.Cut(call, "(")
		if !strings.Contains(file, "int f"+name+"(void)") {
			return false
		}
	}
	return true
}

// outcome is a simulated search's result, with one step per fork.
type outcome struct {
	file         string
	asked, waves int
	widest       int
}

func run(t *testing.T, source string, width int, interesting func(string) bool, first ...pass.Pass) (o outcome) {
	t.Helper()
	language := grammars.ForFile("x.c")
	tree, err := language.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	gate := pass.Gate{Fits: func(_, c *parse.Candidate) bool {
		text := string(c.Render())
		if _, is := known[text]; !is {
			known[text] = language.Errors([]byte(text))
		}
		return known[text] <= tree.Errors
	}}
	plan := pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.DDMin), Width: 1}, Parse: language.Parse}
	passes := append(first, deps.Definitions(), perses.Queue(), perses.Words(), perses.Slices())
	s := Pass(width, passes...).Search(tree, gate, plan)
	o.file = source
	best := parse.Whole(tree).Measure()
	for !s.Ended() {
		if s.Fork == nil {
			t.Fatal("asks alone")
		}
		o.waves++
		o.widest = max(o.widest, len(s.Fork))
		ends := make([]any, len(s.Fork))
		for i, part := range s.Fork {
			q := part()
			o.asked++
			answer := algo.Uninteresting
			if text := string(q.Candidate.Render()); interesting(text) {
				answer = algo.Interesting
				if m := q.Candidate.Measure(); m.Less(best) {
					best, o.file = m, text
				}
			}
			end := q.Next(answer)
			if !end.Ended() {
				t.Fatal("asks twice in a row")
			}
			ends[i] = end.End
		}
		again := s.Join(ends) // a pure function
		if s = s.Join(ends); again.Ended() != s.Ended() || !again.Ended() && len(again.Fork) != len(s.Fork) {
			t.Fatal("the same outcomes lead to something else")
		}
	}
	return o
}

// The first wave, about the file without comments, runs in parallel with the question about
// these. A required comment leaves the others removable.
func TestComments(t *testing.T) {
	needs := func(comment string) func(string) bool {
		return func(file string) bool {
			return strings.Contains(file, "int f7(void)") && strings.Contains(file, comment) && calls(file)
		}
	}
	const width = 32
	var commented string
	waves, without := 0, 0
	const programs = 6
	for seed := range uint64(programs) {
		source := program(rand.New(rand.NewPCG(seed, 1)), 30)
		commented = "/* above */\n" + strings.ReplaceAll(source, "  return", "  /* beside */\n  return")
		bare, with := run(t, source, width, needs("")), run(t, commented, width, needs(""), pass.Comments())
		waves, without = waves+with.waves, without+bare.waves
		if strings.Contains(with.file, "/*") || with.widest > width {
			t.Errorf("%d at once, and what is left is %q", with.widest, with.file)
		}
	}
	if waves >= without+programs/2 { // other differences are chance
		t.Errorf("%d waves instead of %d", waves, without)
	}
	needed := run(t, commented, width, needs("/* above */"), pass.Comments())
	if !strings.Contains(needed.file, "/* above */") || strings.Contains(needed.file, "/* beside */") {
		t.Errorf("where a comment is needed %q is left", needed.file)
	}
}

// Required parts are 1-minimal after few waves.
func TestWaves(t *testing.T) {
	for seed := range cases.Of(t, 4, 4) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		source := program(r, 30)
		var needed []string
		for range 1 + r.IntN(4) {
			i := r.IntN(30)
			needed = append(needed, fmt.Sprintf("x%d_0", i))
		}
		interesting := func(file string) bool {
			return calls(file) && !slices.ContainsFunc(needed, func(n string) bool { return !strings.Contains(file, n) })
		}
		for _, width := range []int{16, 64, 200} {
			o := run(t, source, width, interesting)
			if !interesting(o.file) || o.widest > width {
				t.Fatalf("seed %d, width %d: %d at once, %q", seed, width, o.widest, o.file)
			}
			tree, _ := grammars.ForFile("x.c").Parse([]byte(o.file))
			base := parse.Whole(tree)
			for n := range int32(len(tree.Nodes)) {
				if n == 0 || !tree.Nodes[n].Slot.Droppable() {
					continue
				}
				c := base.Drop(n)
				if grammars.ForFile("x.c").Errors(c.Render()) == 0 && interesting(string(c.Render())) {
					t.Errorf("seed %d, width %d: %q can do without %q", seed, width, o.file, base.TextOf(n))
				}
			}
			if width >= 64 && (o.waves > 25 || o.waves*width < o.asked) {
				t.Errorf("seed %d, width %d: %d waves for %d questions", seed, width, o.waves, o.asked)
			}
		}
	}
}

// Edits that exclude each other are separated.
func TestExclude(t *testing.T) {
	source := strings.Repeat("int a; int b; int c; int d; int e; int f;\n", 3)
	interesting := func(file string) bool { return strings.Count(file, "int") >= 5 }
	for _, width := range []int{2, 8, 64} {
		if o := run(t, source, width, interesting); strings.Count(o.file, "int") != 5 || o.waves > 60 {
			t.Errorf("width %d, %d waves: %q", width, o.waves, o.file)
		}
	}
}

// Groups contain no failed group, and few items of each.
func TestGroups(t *testing.T) {
	list := &algo.List{Weights: slices.Repeat([]int{1}, 16), Whole: 16,
		Known: func(i int) (own, around uint64) { return uint64(i), uint64(i) + 100 }}
	ask := func(m *memory) (groups [][]int) {
		return (&policy{memory: m, share: 1. / 4}).groups(list)
	}
	kept := func(gone ...int) question {
		return question{about: &algo.Question{List: list, Kept: algo.Without(algo.All(16), gone)}}
	}
	m := newMemory()
	want := "[[0 1 2 3 4 5 6 7] [8 9 10 11 12 13 14 15] [0 1 2 3] [4 5 6 7] [8 9 10 11] [12 13 14 15]]"
	if got := fmt.Sprint(ask(m)); got != want {
		t.Errorf("of nothing that is known: %v", got)
	}
	failed := []algo.Outcome{algo.Uninteresting, algo.Uninteresting}
	m = m.after([]question{kept(0, 1, 2, 3), kept(8)}, failed)
	want = "[[0] [1] [2] [3 4 5 6 7] [9 10 11 12 13 14 15] [3 4 5 6] [7] [9 10 11 12] [13 14 15]]"
	if got := fmt.Sprint(ask(m)); got != want {
		t.Errorf("after two have failed: %v", got)
	}
	again := (&policy{memory: m, again: true}).groups(list)
	if len(again) != 16 || len(again[8]) != 1 {
		t.Errorf("again: %v", again)
	}
}

// Chosen questions have high gains and different removals.
func TestCover(t *testing.T) {
	tree, err := grammars.ForFile("x.c").Parse([]byte("int a; int b; int c; int d;\n"))
	if err != nil {
		t.Fatal(err)
	}
	base := parse.Whole(tree)
	items := base.Children(0)
	var questions []question
	for _, gone := range [][]int32{items[:3], items[:2], items[3:]} {
		c := base.Drop(gone...)
		questions = append(questions, question{candidate: c, gain: float64(base.Weight() - c.Weight()), chance: 0.75})
	}
	chosen := cover(base, questions, 2, 0)
	if len(chosen) != 2 || chosen[0].gain != 9 || chosen[1].gain != 3 {
		t.Errorf("chosen: %v", chosen)
	}
	if chosen := cover(base, questions, 3, 0.5); len(chosen) != 1 {
		t.Errorf("%d are worth it", len(chosen))
	}
}
