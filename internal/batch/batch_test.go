package batch

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"whittle/internal/run"
)

// The jobs and the memory limit the open cases, but one always is.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		jobs   int
		memory int64
		weight []int64
		most   int
		took   time.Duration
	}{
		{4, 100, []int64{1, 1, 1, 1, 1, 1, 1, 1}, 4, 2 * time.Second},
		{4, 100, []int64{50, 50, 50, 50}, 2, 2 * time.Second},
		{4, 100, []int64{1000, 1000, 1}, 1, 3 * time.Second},
		{1, 100, []int64{1, 1}, 1, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := New(nil, Options{Run: run.Config{Jobs: c.jobs}, Memory: c.memory})
			var mu sync.Mutex
			open, most := 0, 0
			count := func(n int) {
				mu.Lock()
				defer mu.Unlock()
				open += n
				most = max(most, open)
			}
			began := time.Now()
			var group errgroup.Group
			group.SetLimit(c.jobs)
			for _, w := range c.weight {
				b.open(&group, w, func() {
					count(1)
					time.Sleep(time.Second)
					count(-1)
				})
			}
			group.Wait()
			if took := time.Since(began); most != c.most || took != c.took {
				t.Errorf("%+v: %d were open, it took %v", c, most, took)
			}
		})
	}
}

// The smallest case of each failure is reduced; the largest of these begin first.
func TestByFailure(t *testing.T) {
	var cases []*Case
	titles := []string{"x", "", "y", "x", "", "x"}
	for i, size := range []int64{30, 10, 20, 5, 40, 7} {
		cases = append(cases, &Case{Name: string(rune('a' + i)), Size: size, Test: "its own"})
	}
	for _, one := range []bool{false, true} {
		b := New(cases, Options{Run: run.Config{Jobs: 1}, OneEach: one})
		for i, r := range b.Runs {
			r.state.Title = titles[i]
		}
		got := ""
		for _, row := range b.byFailure(t.Context()) {
			for _, r := range row {
				got += r.Name
			}
			got += " "
		}
		want := "e a c b f d "
		if one {
			want = "e c b dfa "
		}
		if got != want {
			t.Errorf("one of each: %v: the order is %q, want %q", one, got, want)
		}
	}
}
