package view

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/oracle"
)

// At the end, the state agrees with the result.
func TestCourse(t *testing.T) {
	lines, _ := grammars.Find("lines")
	input := []byte(strings.Repeat("a\n", 30) + "needed\n" + strings.Repeat("b\n", 20))
	c := NewCourse("testing list.txt")
	if s := c.state(); s.doing != "testing list.txt" || s.atAll != 0 {
		t.Errorf("initial state: %+v", s)
	}
	c.Does("reading")
	var watching sync.WaitGroup
	done := make(chan struct{})
	watching.Go(func() { // as the screen does
		for {
			select {
			case <-done:
				return
			default:
				s := scene{state: c.state(), look: plain()}
				s.draw(80, 24)
			}
		}
	})
	var best []byte
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: input, Language: lines,
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if strings.Contains(string(candidate), "needed") {
				return algo.Interesting, nil
			}
			return algo.Uninteresting, nil
		},
		Observe: func(e whittle.Event) error {
			c.Observe(e)
			if d, is := e.(whittle.Decision); is && d.Accepted {
				best = d.File
			}
			return nil
		},
	})
	close(done)
	watching.Wait()
	if err != nil {
		t.Fatal(err)
	}
	s := c.state()
	if s.tokens != result.Tokens || s.atAll != result.TokensAtAll || s.tests != result.Tests || s.passing ||
		string(s.best) != string(best) || s.sizes[0] != (size{0, result.TokensAtAll}) ||
		s.sizes[len(s.sizes)-1].tokens != result.Tokens || len(s.turns) != len(result.Passes) {
		t.Errorf("%+v after %+v", s, result)
	}
	tests, removed := 0, 0
	for _, r := range s.passes {
		tests += r.tests
		removed += r.removed
	}
	if tests != result.Tests || removed != result.TokensAtAll-result.Tokens {
		t.Errorf("%d tests and %d tokens in the passes, after %d and %d", tests, removed, result.Tests,
			result.TokensAtAll-result.Tokens)
	}
}

// Replayed tests do not count and give no estimates.
func TestCourseReplayed(t *testing.T) {
	c := NewCourse("testing a")
	for range 2 {
		c.Observe(whittle.PassBegan{Name: "perses"})
		c.Observe(whittle.Decision{Pass: "perses", AtAll: 9, Best: 9, Tests: 1, Answer: oracle.Answer{Replayed: true}})
		c.Observe(whittle.PassResult{Name: "perses", Elapsed: time.Second, Skipped: true})
	}
	c.Observe(whittle.PassBegan{Name: "perses"})
	s := c.state()
	if s.replayed != 2 || s.passes[0].tests != 0 || !s.passes[0].skipped || s.passes[0].turns != 3 {
		t.Errorf("%+v", s)
	}
	if _, known := s.round(); known {
		t.Error("a replay gives an estimate")
	}
}

// Advice follows tests that removed almost nothing.
func TestCourseInVain(t *testing.T) {
	for left, want := range map[int]int{1000: 1, 995: 1, 900: 0} {
		said := 0
		c := NewCourse("")
		c.Warn = func(string) { said++ }
		for tests := range 2 * inVain {
			c.Observe(whittle.Decision{Base: make([]byte, 1000), BestBytes: left, AtAll: 300, Best: 300, Tests: tests + 1})
		}
		if said != want {
			t.Errorf("%d bytes left: %d times advice, want %d", left, said, want)
		}
	}
}

// Sizes are limited in number; the first and last are kept.
func TestCourseThins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCourse("testing a")
		for i := range 3 * mostSizes {
			time.Sleep(time.Second)
			c.Observe(whittle.Decision{Pass: "list", AtAll: 1e6, Best: 1e6 - i, Accepted: true, File: []byte(fmt.Sprint(i))})
		}
		s := c.state()
		last := s.sizes[len(s.sizes)-1]
		if n := len(s.sizes); n > mostSizes || n < mostSizes/2 || last.tokens > 1e6-3*mostSizes+10 || s.sizes[0].at != 0 {
			t.Errorf("%d sizes, the last %+v", n, last)
		}
	})
}

func TestTimeLeft(t *testing.T) {
	change := func(f func(s *state)) state {
		s := midway().state
		f(&s)
		return s
	}
	for name, c := range map[string]struct {
		s    state
		want string
	}{
		"after a round":     {change(func(*state) {}), "about 23s to the end of this round"},
		"half the tokens":   {change(func(s *state) { s.tokens /= 2 }), "about 10s to the end of this round"},
		"the first round":   {change(func(s *state) { s.turns = s.turns[:4] }), ""},
		"past the estimate": {change(func(s *state) { s.passBegan = s.began }), ""},
		"no pass":           {change(func(s *state) { s.passing = false }), ""},
		"the last pass": {change(func(s *state) {
			s.turns = append(s.turns, turn{pass: "words", tokens: 412}, turn{pass: "slices", tokens: 412})
		}), "about 9s to the end of this round"},
		"soon": {change(func(s *state) {
			s.turns = append(s.turns, turn{pass: "slices", tokens: 412})
			s.passBegan = s.now.Add(-12 * time.Second)
		}), "this round is about to end"},
		"a limit": {change(func(s *state) { s.maxTime = 85 * time.Second }), "at most 2s left"},
		"past the limit": {change(func(s *state) {
			s.maxTime, s.turns = 80*time.Second, nil
		}), "at most 0s left"},
		"a far limit": {change(func(s *state) { s.maxTime = time.Hour }), "about 23s to the end of this round"},
	} {
		if got := c.s.timeLeft(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestPress(t *testing.T) {
	lines := [2]int{100, 8}
	var u ui
	for _, step := range []struct {
		key  string
		want ui
		act  action
	}{
		{"down", ui{tops: [2]int{1, 0}}, nothing},
		{"pgdown", ui{tops: [2]int{11, 0}}, nothing},
		{"end", ui{tops: [2]int{90, 0}}, nothing},
		{"down", ui{tops: [2]int{90, 0}}, nothing},
		{"pgup", ui{tops: [2]int{80, 0}}, nothing},
		{"tab", ui{diff: true, tops: [2]int{80, 0}}, nothing},
		{"down", ui{diff: true, tops: [2]int{80, 0}}, nothing}, // all is visible
		{"tab", ui{tops: [2]int{80, 0}}, nothing},
		{"right", ui{tops: [2]int{80, 0}, left: 16}, nothing},
		{"left", ui{tops: [2]int{80, 0}}, nothing},
		{"left", ui{tops: [2]int{80, 0}}, nothing},
		{"home", ui{}, nothing},
		{"up", ui{}, nothing},
		{"?", ui{help: true}, nothing},
		{"esc", ui{}, nothing},
		{"s", ui{}, skip}, {"q", ui{}, stop}, {"p", ui{}, pause}, {"+", ui{}, more}, {"=", ui{}, more}, {"-", ui{}, fewer},
		{"ctrl+c", ui{}, interrupt}, {"ctrl+z", ui{}, suspend}, {`ctrl+\`, ui{}, quit}, {"x", ui{}, nothing},
	} {
		var a action
		if u, a = u.press(step.key, 10, lines); u != step.want || a != step.act {
			t.Fatalf("%s: %+v, %d; want %+v, %d", step.key, u, a, step.want, step.act)
		}
	}
	// The file is now shorter.
	if u, _ := (ui{tops: [2]int{500, 0}}).press("up", 10, lines); u.tops[0] != 89 {
		t.Errorf("%+v", u)
	}
}

func TestWords(t *testing.T) {
	for _, c := range [][3]string{
		{"perses", "children", "removing members of lists"}, {"perses", "new", "trying each node of the tree"},
		{"comments", "", "removing comments"}, {"mine", "", "mine"}, {"rewrite", "", "rewriting the rest"},
		{"rewrite", "$A => 0", "rewriting by the rule $A => 0"},
	} {
		if got := Words(c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s: %q", c[0], c[1], got)
		}
	}
	for line := range strings.Lines(wordsText) {
		if !strings.HasPrefix(line, "#") && strings.Count(line, "\t") != 2 {
			t.Errorf("%q", line)
		}
	}
}
