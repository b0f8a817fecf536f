package chain

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

type machine struct {
	ran, now, most atomic.Int64
	until          time.Time
}

func (m *machine) Run(ctx context.Context, _ oracle.Spec, _ []byte) (oracle.Run, error) {
	n := m.now.Add(1)
	defer m.now.Add(-1)
	for most := m.most.Load(); n > most && !m.most.CompareAndSwap(most, n); most = m.most.Load() {
	}
	time.Sleep(time.Second)
	if !m.until.IsZero() && time.Now().After(m.until) {
		return oracle.Run{}, &oracle.EnvironmentError{Err: errors.New("nobody answers")}
	}
	m.ran.Add(1)
	return oracle.Run{Outcome: algo.Interesting}, ctx.Err()
}

func runAll(t *testing.T, e oracle.Executor, n, jobs int) (errs []error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	room := make(chan struct{}, jobs)
	for range n {
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			run, err := e.Run(t.Context(), oracle.Spec{}, nil)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
			} else if run.Outcome != algo.Interesting {
				t.Error("a test has another outcome")
			}
		})
	}
	all.Wait()
	return errs
}

func spill(near, far oracle.Executor, slots *Slots, lost func(error)) oracle.Executor {
	return (&Overflow{far, slots, lost}).around(near)
}

func TestSpill(t *testing.T) {
	for _, c := range []struct{ jobs, near int }{{0, 0}, {2, 20}, {10, 100}} {
		synctest.Test(t, func(t *testing.T) {
			near, far := &machine{}, &machine{}
			errs := runAll(t, spill(near, far, NewSlots(c.jobs, 0), nil), 100, 10)
			if len(errs) > 0 || near.ran.Load() != int64(c.near) || near.ran.Load()+far.ran.Load() != 100 ||
				near.most.Load() != int64(c.jobs) {
				t.Errorf("%d near at once: %d near, %d far, %v", c.jobs, near.ran.Load(), far.ran.Load(), errs)
			}
		})
	}
}

func TestSpillGone(t *testing.T) {
	for _, c := range []struct{ jobs, after int }{{0, 3}, {2, 3}, {3, 2}, {2, 0}} {
		synctest.Test(t, func(t *testing.T) {
			near, far := &machine{}, &machine{until: time.Now().Add(3500 * time.Millisecond)}
			told := 0
			spilling := spill(near, far, NewSlots(c.jobs, c.after), func(error) { told++ })
			errs := runAll(t, spilling, 100, 10)
			if c.after == 0 {
				if len(errs) == 0 || told > 0 {
					t.Errorf("%+v: %d errors, told %d times", c, len(errs), told)
				}
				return
			}
			if len(errs) > 0 || told != 1 || near.ran.Load()+far.ran.Load() != 100 || far.ran.Load() == 0 ||
				near.most.Load() != int64(max(c.jobs, c.after)) {
				t.Errorf("%+v: %d near (%d at once), %d far, told %d times, %v", c, near.ran.Load(), near.most.Load(),
					far.ran.Load(), told, errs)
			}
		})
	}
}

func TestLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := &machine{}
		limited := limit(one, 2)
		if errs := runAll(t, limited, 20, 10); len(errs) > 0 || one.most.Load() != 2 || one.ran.Load() != 20 {
			t.Errorf("%d ran, %d at once, %v", one.ran.Load(), one.most.Load(), errs)
		}
		none := limit(one, 0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := none.Run(ctx, oracle.Spec{}, nil); err != context.DeadlineExceeded {
			t.Error(err)
		}
	})
}

func TestSpillShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far, here := &machine{}, &machine{}, NewSlots(2, 0)
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { runAll(t, spill(near, far, here, nil), 20, 4) })
		}
		all.Wait()
		if most := near.most.Load(); most != 2 || near.ran.Load()+far.ran.Load() != 100 {
			t.Errorf("%d ran here at once, %d here, %d far", most, near.ran.Load(), far.ran.Load())
		}
	})
}
