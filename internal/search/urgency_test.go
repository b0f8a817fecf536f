package search

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
)

func TestChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked := map[string]context.Context{}
		r := &Runner{Jobs: 6, Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
			mu.Lock()
			asked[string(c)] = ctx
			mu.Unlock()
			select {
			case <-time.After(time.Second + time.Duration(len(c))*time.Millisecond):
				return algo.Uninteresting, nil
			case <-ctx.Done():
				return algo.Unresolved, ctx.Err()
			}
		}}
		parts := &algo.Step[string]{Join: func([]any) *algo.Step[string] { return nil }}
		for i := range 2 {
			parts.Fork = append(parts.Fork, func() *algo.Step[string] { return tree(fmt.Sprint(i), 3) })
		}
		go func() {
			if _, err := Run(t.Context(), r, parts, render, always); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		chance := func(c string) float64 {
			mu.Lock()
			defer mu.Unlock()
			return Chance(asked[c])
		}
		no := fmt.Sprint(int(algo.Uninteresting))
		if head, part, next := chance("0"), chance("1"), chance("0"+no); head != 1 || part != sure || next >= part || next <= 0 {
			t.Errorf("the head has %v, a part %v, what may follow %v", head, part, next)
		}
		time.Sleep(1001500 * time.Microsecond)
		synctest.Wait()
		if head, part := chance("0"+no), chance("1"+no); head != 1 || part != sure {
			t.Errorf("after an answer the head has %v, a part %v", head, part)
		}
		time.Sleep(time.Minute) // the end
	})
	if got := Chance(t.Context()); got != 1 {
		t.Errorf("what no search asks has %v", got)
	}
}

func TestWake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, running := 1, 0
		wake := make(chan struct{}, 1)
		var mu sync.Mutex
		count := func(n int) int {
			mu.Lock()
			defer mu.Unlock()
			running += n
			return running
		}
		r := &Runner{
			Jobs: 1, Wake: wake,
			Steer: func(context.Context) int {
				mu.Lock()
				defer mu.Unlock()
				return jobs
			},
			Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
				count(1)
				defer count(-1)
				select {
				case <-time.After(time.Second):
					return algo.Uninteresting, nil
				case <-ctx.Done():
					return algo.Unresolved, ctx.Err()
				}
			},
		}
		go Run(t.Context(), r, tree("x", 5), render, always)
		synctest.Wait()
		if n := count(0); n != 1 {
			t.Errorf("%d tests run with one job", n)
		}
		mu.Lock()
		jobs = 3
		mu.Unlock()
		wake <- struct{}{}
		synctest.Wait()
		if n := count(0); n != 3 {
			t.Errorf("%d tests run with three jobs", n)
		}
		time.Sleep(time.Minute)
	})
}
