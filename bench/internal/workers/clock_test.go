package workers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// chain is a search of so many questions, each of which depends on the one before it.
func chain(asked string, left int) *algo.Step[string] {
	if left == 0 {
		return &algo.Step[string]{End: asked}
	}
	return &algo.Step[string]{Candidate: asked, Next: func(o algo.Outcome) *algo.Step[string] {
		return chain(asked+"-+"[o:o+1], left-1)
	}}
}

// independent is a search of so many chains that have nothing to do with each other.
func independent(chains, questions int) *algo.Step[string] {
	s := &algo.Step[string]{Join: func(ends []any) *algo.Step[string] { return &algo.Step[string]{End: fmt.Sprint(ends)} }}
	for i := range chains {
		s.Fork = append(s.Fork, func() *algo.Step[string] { return chain(fmt.Sprint(i, ":"), questions) })
	}
	return s
}

// coin is yes or no, by the candidate.
func coin(_ context.Context, candidate []byte) (algo.Outcome, time.Duration, error) {
	key := oracle.KeyOf(candidate)
	return algo.Outcome(key[0] & 1), time.Duration(key[1]) * time.Millisecond, nil
}

// follow runs a search by a clock and returns what it ended with.
func follow(t *testing.T, c *Clock, steps *algo.Step[string], workers int) (end any, used, vain int) {
	t.Helper()
	r := &search.Runner{Property: c.Property, Jobs: workers}
	end, err := search.Run(search.WithClock(t.Context(), c.Waiting), r, steps, func(s string) []byte { return []byte(s) },
		func(*algo.Step[string], oracle.Answer) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	used, vain = r.Counts()
	return end, used, vain
}

func step([]byte) time.Duration { return Step }

// A chain of questions takes as many steps with one worker, fewer only by looking ahead,
// and independent questions as many as it takes the workers to go round.
func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		chains, questions, workers, steps int
	}{
		{1, 1, 1, 1}, {1, 7, 1, 7}, {7, 1, 1, 7}, {7, 1, 3, 3}, {7, 1, 7, 1}, {7, 1, 100, 1},
		{64, 1, 8, 8}, {65, 1, 8, 9}, {500, 1, 200, 3}, {9, 7, 1, 63},
	} {
		c := NewClock(coin, 2)
		c.Lasts = step
		_, used, vain := follow(t, c, independent(tt.chains, tt.questions), tt.workers)
		if c.Now() != time.Duration(tt.steps)*Step || used != tt.chains*tt.questions {
			t.Errorf("%d chains of %d questions with %d workers: %v and %d tests, want %d steps",
				tt.chains, tt.questions, tt.workers, c.Now(), used, tt.steps)
		}
		if busy := time.Duration(used+vain) * Step; c.Busy() != busy {
			t.Errorf("%d chains of %d questions with %d workers: workers were busy for %v, want %v",
				tt.chains, tt.questions, tt.workers, c.Busy(), busy)
		}
	}
}

// With three workers and guesses that are worth nothing, both answers to a question are
// followed while it is asked: two questions a step.
func TestLooksAhead(t *testing.T) {
	c := NewClock(coin, 1)
	c.Lasts = step
	follow(t, c, chain("", 40), 3)
	if c.Now() < 20*Step || c.Now() > 30*Step {
		t.Errorf("40 questions that depend on each other took %v with three workers", c.Now())
	}
}

// However many workers there are and however long tests last, a search ends with the same,
// and a simulation of it that is repeated is the same to the millisecond.
func TestSameForAll(t *testing.T) {
	random := Setting{Lasts: "random", Seed: 7}.lasts()
	first, _, _ := follow(t, NewClock(coin, 1), independent(9, 20), 1)
	for name, lasts := range map[string]func([]byte) time.Duration{"step": step, "random": random, "recorded": nil} {
		for _, workers := range []int{1, 2, 8, 64} {
			var figures []string
			for asks := range 3 {
				c := NewClock(coin, asks)
				c.Lasts = lasts
				end, used, vain := follow(t, c, independent(9, 20), workers)
				if end != first || used != 180 {
					t.Errorf("%s, %d workers: %v in %d tests, want %v", name, workers, end, used, first)
				}
				figures = append(figures, fmt.Sprint(c.Now(), c.Busy(), vain))
			}
			if figures[0] != figures[1] || figures[1] != figures[2] {
				t.Errorf("%s, %d workers: %s", name, workers, strings.Join(figures, "; "))
			}
		}
	}
}

// A test that is not wanted any more frees its worker at once, and is not asked about.
func TestCancelled(t *testing.T) {
	asked := map[string]bool{}
	c := NewClock(func(ctx context.Context, candidate []byte) (algo.Outcome, time.Duration, error) {
		asked[string(candidate)] = true
		return algo.Uninteresting, 0, nil
	}, 1)
	c.Lasts = func(candidate []byte) time.Duration { return time.Duration(len(candidate)) * Step }
	long := "it takes long"
	steps := &algo.Step[string]{Candidate: "?", Next: func(o algo.Outcome) *algo.Step[string] {
		if o == algo.Interesting {
			return chain(long, 1)
		}
		return chain("no", 1)
	}}
	follow(t, c, steps, 3)
	if c.Now() != 2*Step {
		t.Errorf("the search took %v, want %v", c.Now(), 2*Step)
	}
	if c.Busy() != 4*Step { // one step of three workers, one of one
		t.Errorf("the workers were busy for %v", c.Busy())
	}
	if asked[long] {
		t.Error("a test was asked about that was cancelled")
	}
}

// An error of a test ends the search, as does the end of its context.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, want := range []error{broken, context.Canceled} {
		asked := 0
		c := NewClock(func(ctx context.Context, _ []byte) (algo.Outcome, time.Duration, error) {
			if asked++; asked < 10 {
				return algo.Uninteresting, 0, nil
			}
			if want == broken {
				return 0, 0, broken
			}
			cancel()
			return 0, 0, ctx.Err()
		}, 1)
		c.Lasts = step
		r := &search.Runner{Property: c.Property, Jobs: 4}
		_, err := search.Run(search.WithClock(ctx, c.Waiting), r, independent(20, 20),
			func(s string) []byte { return []byte(s) },
			func(*algo.Step[string], oracle.Answer) bool { return true })
		if !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}
