package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

func always(*algo.Step[string], oracle.Answer) bool { return true }

// tree is a search of a binary tree. Its candidates spell the outcomes so far.
func tree(path string, depth int) *algo.Step[string] {
	if depth == 0 {
		return nil
	}
	return &algo.Step[string]{Candidate: path, Next: func(o algo.Outcome) *algo.Step[string] {
		return tree(path+fmt.Sprint(int(o)), depth-1)
	}}
}

func cycle(i int) *algo.Step[string] {
	if i == 6 {
		return nil
	}
	next := func(algo.Outcome) *algo.Step[string] { return cycle(i + 1) }
	return &algo.Step[string]{Candidate: fmt.Sprint(i % 3), Next: next}
}

func render(s string) []byte { return []byte(s) }

func coin(candidate []byte) algo.Outcome {
	h := oracle.KeyOf(candidate)
	return algo.Outcome(h[0] % 3)
}

func TestSearchIsSequential(t *testing.T) {
	want := []string{}
	for s := tree("x", 60); s != nil; s = s.Next(coin([]byte(s.Candidate))) {
		want = append(want, s.Candidate)
	}
	for _, jobs := range []int{1, 2, 3, 8, 40} {
		var running, most atomic.Int32
		o := &Runner{Jobs: jobs, Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
			now := running.Add(1)
			defer running.Add(-1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			select {
			case <-time.After(time.Duration(rand.IntN(2000)) * time.Microsecond):
			case <-ctx.Done():
				return algo.Unresolved, ctx.Err()
			}
			return coin(c), nil
		}}
		var got []string
		_, err := Run(t.Context(), o, tree("x", 60), render, func(s *algo.Step[string], a oracle.Answer) bool {
			c := s.Candidate
			if a.Outcome != coin([]byte(c)) || a.Cached {
				t.Errorf("%d jobs: %q was answered %v", jobs, c, a)
			}
			got = append(got, c)
			return true
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d jobs: error %v, decided %q, want %q", jobs, err, got, want)
		}
		if n := int(most.Load()); n > jobs {
			t.Errorf("%d tests ran at once with %d jobs", n, jobs)
		}
		if run, cancelled := o.Counts(); run != 60 || cancelled < 0 || jobs == 1 && cancelled != 0 {
			t.Errorf("%d jobs: %d tests run, %d cancelled", jobs, run, cancelled)
		}
		if running.Load() != 0 {
			t.Errorf("%d tests run on", running.Load())
		}
	}
}

func forks(path string, depth int) *algo.Step[string] {
	if depth <= 0 {
		return &algo.Step[string]{End: path}
	}
	h := oracle.KeyOf([]byte(path))
	if h[1]%3 > 0 {
		return &algo.Step[string]{Candidate: path, Next: func(o algo.Outcome) *algo.Step[string] {
			return forks(path+fmt.Sprint(int(o)), depth-1)
		}}
	}
	fork := &algo.Step[string]{Join: func(ends []any) *algo.Step[string] {
		return forks(fmt.Sprintf("%x", oracle.KeyOf(fmt.Append(nil, ends...)))+path[:1], depth-2)
	}}
	for i := range h[2]%4 + 1 {
		fork.Fork = append(fork.Fork, func() *algo.Step[string] { return forks(fmt.Sprint(path, "-", i), depth-3) })
	}
	return fork
}

func along(s *algo.Step[string], ask func(string) algo.Outcome) any {
	for !s.Ended() {
		if s.Fork == nil {
			s = s.Next(ask(s.Candidate))
			continue
		}
		var ends []any
		for _, part := range s.Fork {
			ends = append(ends, along(part(), ask))
		}
		s = s.Join(ends)
	}
	return s.End
}

func TestSearchForks(t *testing.T) {
	for seed := range 8 {
		start := fmt.Sprint(seed, "x")
		var want []string
		again := map[string]bool{}
		along(forks(start, 14), func(c string) algo.Outcome {
			want = append(want, fmt.Sprint(c, again[c]))
			again[c] = true
			return coin([]byte(c))
		})
		for _, jobs := range []int{1, 2, 8, 40} {
			synctest.Test(t, func(t *testing.T) {
				o := &Runner{Jobs: jobs, Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
					h := oracle.KeyOf(c)
					select {
					case <-time.After(time.Second + time.Duration(h[5])*time.Millisecond):
						return coin(c), nil
					case <-ctx.Done():
						return 0, ctx.Err()
					}
				}}
				var got []string
				_, err := Run(t.Context(), o, forks(start, 14), render, func(s *algo.Step[string], a oracle.Answer) bool {
					c := s.Candidate
					if a.Outcome != coin([]byte(c)) {
						t.Errorf("%q was answered %v", c, a)
					}
					got = append(got, fmt.Sprint(c, a.Cached))
					return true
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("seed %d, %d jobs: error %v, decided %q, want %q", seed, jobs, err, got, want)
				}
			})
		}
	}
	synctest.Test(t, func(t *testing.T) {
		fork := &algo.Step[string]{Join: func([]any) *algo.Step[string] { return nil }}
		for i := range 50 {
			fork.Fork = append(fork.Fork, func() *algo.Step[string] { return tree(fmt.Sprint(i), 2) })
		}
		o := &Runner{Jobs: 50, Property: func(context.Context, []byte) (algo.Outcome, error) {
			time.Sleep(time.Second)
			return algo.Uninteresting, nil
		}}
		began := time.Now()
		if _, err := Run(t.Context(), o, fork, render, always); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("100 tests, 50 at once, took %v", took)
		}
	})
}

func TestMemory(t *testing.T) {
	var r Runner
	m := &r.asked
	for i := range 5 * generation {
		m.put(oracle.KeyOf(fmt.Append(nil, i)), known{algo.Interesting, int32(i)})
	}
	if n := len(m.young) + len(m.old); n > 2*generation {
		t.Errorf("%d outcomes are kept", n)
	}
	last := oracle.KeyOf(fmt.Append(nil, 5*generation-1))
	if _, ok := m.get(last); !ok {
		t.Error("the last outcome is lost")
	}
	r.Forget(5*generation - 10)
	_, has := m.get(last)
	if n := len(m.young) + len(m.old); has || n < generation {
		t.Errorf("of what is small enough %d are left", n)
	}
	r.Doubt()
	if n := len(m.young) + len(m.old); n > 0 {
		t.Errorf("%d that were interesting are left", n)
	}
}

func TestSearchRemembers(t *testing.T) {
	tests := 0
	var mu sync.Mutex
	o := &Runner{Jobs: 4, Property: func(context.Context, []byte) (algo.Outcome, error) {
		mu.Lock()
		defer mu.Unlock()
		tests++
		return algo.Uninteresting, nil
	}}
	o.Know([]byte("2"), algo.Uninteresting)
	cached := 0
	for range 2 {
		_, err := Run(t.Context(), o, cycle(0), render, func(_ *algo.Step[string], a oracle.Answer) bool {
			if a.Cached {
				cached++
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if run, _ := o.Counts(); tests != 2 || run != 2 || cached != 10 {
		t.Errorf("%d tests, %d counted, %d cached", tests, run, cached)
	}
}

type stored map[oracle.Key]algo.Outcome

func (m stored) Recall(k oracle.Key) (oracle.Recollection, bool) {
	o, known := m[k]
	return oracle.Recollection{Outcome: o}, known
}

func (m stored) Learn(k oracle.Key, o algo.Outcome, _ time.Duration, _ ...string) { m[k] = o }

func (m stored) Doubt() {}

// Forgotten outcomes are in the journal, so that they need no second test.
func TestSearchForgets(t *testing.T) {
	o := &Runner{Jobs: 1, Journal: stored{}, Property: func(context.Context, []byte) (algo.Outcome, error) {
		return algo.Uninteresting, nil
	}}
	for range 2 {
		if _, err := Run(t.Context(), o, cycle(0), render, always); err != nil {
			t.Fatal(err)
		}
		o.Forget(0)
	}
	if run, cancelled := o.Counts(); run != 6 || cancelled != 0 {
		t.Errorf("%d tests counted, %d cancelled", run, cancelled)
	}
}

func TestSearchError(t *testing.T) {
	broken := errors.New("disk full")
	for _, jobs := range []int{1, 8} {
		o := &Runner{Jobs: jobs, Property: func(_ context.Context, c []byte) (algo.Outcome, error) {
			if string(c) == "x000" || string(c) == "x1" {
				return algo.Interesting, broken
			}
			return algo.Uninteresting, nil
		}}
		var got []string
		_, err := Run(t.Context(), o, tree("x", 10), render, func(s *algo.Step[string], _ oracle.Answer) bool {
			c := s.Candidate
			got = append(got, c)
			return true
		})
		if !errors.Is(err, broken) || !slices.Equal(got, []string{"x", "x0", "x00"}) {
			t.Errorf("%d jobs: error %v after %q", jobs, err, got)
		}
	}
}

func TestSearchCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var running atomic.Int32
	o := &Runner{Jobs: 8, Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
		running.Add(1)
		defer running.Add(-1)
		cancel()
		<-ctx.Done()
		return algo.Unresolved, ctx.Err()
	}}
	_, err := Run(ctx, o, tree("x", 10), render, func(*algo.Step[string], oracle.Answer) bool {
		t.Error("something was decided")
		return true
	})
	if !errors.Is(err, context.Canceled) || running.Load() != 0 {
		t.Errorf("error %v, %d tests run on", err, running.Load())
	}
}
