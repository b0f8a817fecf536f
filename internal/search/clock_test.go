package search

import (
	"context"
	"testing"

	"whittle/algo"
	"whittle/oracle"
)

// The search knows the outcomes of all tests that end at once before it starts more.
func TestWaiting(t *testing.T) {
	ends := make(chan bool)
	var waited []int
	r := &Runner{Jobs: 4, Property: func(context.Context, []byte) (algo.Outcome, error) {
		<-ends
		return algo.Uninteresting, nil
	}}
	waiting := func(running int) int {
		waited = append(waited, running)
		for range running {
			ends <- true
		}
		return running
	}
	const questions = 10
	fork := &algo.Step[string]{Join: func([]any) *algo.Step[string] { return nil }}
	for i := range questions {
		fork.Fork = append(fork.Fork, func() *algo.Step[string] { return list(string(rune('a'+i)), 1) })
	}
	if _, err := Run(WithClock(t.Context(), waiting), r, fork, render, always); err != nil {
		t.Fatal(err)
	}
	if len(waited) != 3 || waited[0] != 4 || waited[1] != 4 || waited[2] != 2 {
		t.Errorf("waited for %v tests, want 4, 4 and 2", waited)
	}
}

func TestAnswerChance(t *testing.T) {
	steps := &algo.Step[string]{Candidate: "sure", Chance: 0.99, Next: func(algo.Outcome) *algo.Step[string] {
		return &algo.Step[string]{Candidate: "not at all", Chance: 0.01, Next: func(algo.Outcome) *algo.Step[string] { return nil }}
	}}
	r := &Runner{Jobs: 1, Property: func(context.Context, []byte) (algo.Outcome, error) { return algo.Uninteresting, nil }}
	chances := map[string]float64{}
	_, err := Run(t.Context(), r, steps, render, func(s *algo.Step[string], a oracle.Answer) bool {
		chances[s.Candidate] = a.Chance
		return true
	})
	if err != nil || chances["sure"] <= chances["not at all"] || chances["sure"] >= 1 || chances["not at all"] <= 0 {
		t.Errorf("chances %v, error %v", chances, err)
	}
}
