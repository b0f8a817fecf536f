package oracle

import (
	"testing"
	"time"

	"whittle/algo"
)

func TestAdaptiveTimeout(t *testing.T) {
	p := AdaptiveTimeout{Factor: 10}
	steps := []struct {
		outcome algo.Outcome
		elapsed time.Duration
		limit   time.Duration
	}{
		{algo.Uninteresting, time.Hour, firstTimeout},
		{algo.Interesting, 10 * time.Millisecond, leastTimeout},
		{algo.Interesting, 3 * time.Second, 30 * time.Second},
		{algo.Interesting, time.Second, 30 * time.Second},
		{algo.Unresolved, 10 * time.Second, 30 * time.Second},
		{algo.Interesting, time.Hour, mostTimeout},
	}
	for i, s := range steps {
		p.Took(s.outcome, s.elapsed, s.elapsed)
		if got := p.Limit(); got != s.limit {
			t.Errorf("after step %d the limit is %v, want %v", i, got, s.limit)
		}
	}
}
