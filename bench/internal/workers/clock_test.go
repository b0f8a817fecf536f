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

// chain returns a search of left questions, each depending on the previous answer.
func chain(asked string, left int) *algo.Step[string] {
	if left == 0 {
		return &algo.Step[string]{End: asked}
	}
	return &algo.Step[string]{Candidate: asked, Next: func(o algo.Outcome) *algo.Step[string] {
		return chain(asked+"-+"[o:o+1], left-1)
	}}
}

// independent returns a search of independent chains.
func independent(chains, questions int) *algo.Step[string] {
	s := &algo.Step[string]{Join: func(ends []any) *algo.Step[string] { return &algo.Step[string]{End: fmt.Sprint(ends)} }}
	for i := range chains {
		s.Fork = append(s.Fork, func() *algo.Step[string] { return chain(fmt.Sprint(i, ":"), questions) })
	}
	return s
}

// coin answers by a hash of the candidate.
func coin(_ context.Context, candidate []byte) (algo.Outcome, time.Duration, error) {
	key := oracle.KeyOf(candidate)
	return algo.Outcome(key[0] & 1), time.Duration(key[1]) * time.Millisecond, nil
}

// follow runs a search with a clock and returns its end.
func follow(t *testing.T, c *Clock, steps *algo.Step[string], workers int) (end any, used, cancelled int) {
	t.Helper()
	r := &search.Runner{Property: c.Property, Jobs: workers}
	end, err := search.Run(search.WithClock(t.Context(), c.Waiting), r, steps, func(s string) []byte { return []byte(s) },
		func(*algo.Step[string], oracle.Answer) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	used, cancelled = r.Counts()
	return end, used, cancelled
}

func step([]byte) time.Duration { return Step }

// A chain takes one step per question with one worker. Independent questions take their number
// divided by the number of workers, rounded up.
func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		chains, questions, workers, steps int
	}{
		{1, 1, 1, 1}, {1, 7, 1, 7}, {7, 1, 1, 7}, {7, 1, 3, 3}, {7, 1, 7, 1}, {7, 1, 100, 1},
		{64, 1, 8, 8}, {65, 1, 8, 9}, {500, 1, 200, 3}, {9, 7, 1, 63},
	} {
		c := NewClock(coin, 2)
		c.Lasts = step
		_, used, cancelled := follow(t, c, independent(tt.chains, tt.questions), tt.workers)
		if c.Now() != time.Duration(tt.steps)*Step || used != tt.chains*tt.questions {
			t.Errorf("%d chains of %d questions with %d workers: %v and %d tests, want %d steps",
				tt.chains, tt.questions, tt.workers, c.Now(), used, tt.steps)
		}
		if busy := time.Duration(used+cancelled) * Step; c.Busy() != busy {
			t.Errorf("%d chains of %d questions with %d workers: workers were busy for %v, want %v",
				tt.chains, tt.questions, tt.workers, c.Busy(), busy)
		}
	}
}

// With three workers and useless estimates, a search follows both answers to the current
// question: two questions per step.
func TestLooksAhead(t *testing.T) {
	c := NewClock(coin, 1)
	c.Lasts = step
	follow(t, c, chain("", 40), 3)
	if c.Now() < 20*Step || c.Now() > 30*Step {
		t.Errorf("40 questions that depend on each other took %v with three workers", c.Now())
	}
}

// The result does not depend on the number of workers or the duration of tests. A repeated
// simulation takes exactly the same time.
func TestSameForAll(t *testing.T) {
	random := Setting{Lasts: "random", Seed: 7}.lasts()
	first, _, _ := follow(t, NewClock(coin, 1), independent(9, 20), 1)
	for name, lasts := range map[string]func([]byte) time.Duration{"step": step, "random": random, "recorded": nil} {
		for _, workers := range []int{1, 2, 8, 64} {
			var figures []string
			for asks := range 3 {
				c := NewClock(coin, asks)
				c.Lasts = lasts
				end, used, cancelled := follow(t, c, independent(9, 20), workers)
				if end != first || used != 180 {
					t.Errorf("%s, %d workers: %v in %d tests, want %v", name, workers, end, used, first)
				}
				figures = append(figures, fmt.Sprint(c.Now(), c.Busy(), cancelled))
			}
			if figures[0] != figures[1] || figures[1] != figures[2] {
				t.Errorf("%s, %d workers: %s", name, workers, strings.Join(figures, "; "))
			}
		}
	}
}

// A cancelled test frees its worker at once, and Ask is not called for it.
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
	if c.Busy() != 4*Step { // a step of three workers, then a step of one
		t.Errorf("the workers were busy for %v", c.Busy())
	}
	if asked[long] {
		t.Error("Ask was called for a cancelled test")
	}
}

// An error of a test or the end of its context ends the search.
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
