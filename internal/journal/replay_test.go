package journal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// tree is a search of a binary tree. Its candidates spell the outcomes so far, so they differ.
func tree(path string, depth int) *algo.Step[string] {
	if depth == 0 {
		return nil
	}
	return &algo.Step[string]{Candidate: path, Next: func(o algo.Outcome) *algo.Step[string] {
		return tree(path+fmt.Sprint(int(o)), depth-1)
	}}
}

func render(s string) []byte { return []byte(s) }

func coin(candidate []byte) algo.Outcome { return algo.Outcome(oracle.KeyOf(candidate)[0] % 3) }

// A search stopped anywhere and repeated decides the same and tests each candidate once, for any
// number of jobs.
func TestSearchReplays(t *testing.T) {
	t.Parallel()
	var want []string
	for s := tree("x", 30); s != nil; s = s.Next(coin([]byte(s.Candidate))) {
		want = append(want, s.Candidate)
	}
	for _, jobs := range []int{1, 4} {
		path := filepath.Join(t.TempDir(), "a.journal")
		var mu sync.Mutex
		tested := map[string]int{}
		for stop := 0; stop <= len(want); stop += 3 {
			j := begunJournal(t, path, identityOf("input", "a"))
			known := j.Known()
			o := &search.Runner{Jobs: jobs, Journal: j, Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
				mu.Lock()
				defer mu.Unlock()
				err := ctx.Err()
				if err == nil {
					tested[string(c)]++
				}
				return coin(c), err
			}}
			var got []string
			replayed := 0
			_, err := search.Run(t.Context(), o, tree("x", 30), render, func(s *algo.Step[string], a oracle.Answer) bool {
				c := s.Candidate
				got = append(got, c)
				if a.Replayed {
					replayed++
				}
				return len(got) < stop
			})
			if n := max(stop, 1); err != nil || !slices.Equal(got, want[:n]) {
				t.Errorf("%d jobs: error %v, decided %q, want %q", jobs, err, got, want[:n])
			}
			run, cancelled := o.Counts()
			if replayed < stop-3 || replayed > known || o.Replayed() != replayed || run != len(got) || cancelled < 0 {
				t.Errorf("%d jobs: %d replayed, %d counted, %d known; %d run, %d cancelled",
					jobs, replayed, o.Replayed(), known, run, cancelled)
			}
			closeJournal(t, j, true)
		}
		for c, n := range tested {
			if n > 1 {
				t.Errorf("%d jobs: %q was tested %d times", jobs, c, n)
			}
		}
	}
}

func TestReplayedTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	j := begunJournal(t, path, identityOf("input", "a"))
	j.Learn(oracle.KeyOf([]byte("x")), algo.Uninteresting, 1234600*time.Microsecond)
	for range 2 {
		o := &search.Runner{Jobs: 1, Journal: j, Property: func(context.Context, []byte) (algo.Outcome, error) {
			return algo.Interesting, errors.New("it is known")
		}}
		step := &algo.Step[string]{Candidate: "x", Next: func(algo.Outcome) *algo.Step[string] { return nil }}
		_, err := search.Run(t.Context(), o, step, render, func(_ *algo.Step[string], a oracle.Answer) bool {
			if a.Elapsed != 1235*time.Millisecond {
				t.Errorf("it took %v", a.Elapsed)
			}
			return true
		})
		if err != nil {
			t.Error(err)
		}
		closeJournal(t, j, true)
		j = begunJournal(t, path, identityOf("input", "a"))
	}
}
