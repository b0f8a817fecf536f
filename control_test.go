package whittle_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
)

func steered(t *testing.T) whittle.Options {
	in := inputs[0]
	return whittle.Options{
		Input: readInput(t, in.file), Language: language(t, in.language), Property: containing(in.pattern),
		Control: &whittle.Control{},
	}
}

func reduced(t *testing.T, o whittle.Options) whittle.Result {
	t.Helper()
	result, err := whittle.Reduce(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestControlChangesNothing(t *testing.T) {
	var steps [3][]string
	for i := range steps {
		o := steered(t)
		c := o.Control
		if i == 0 {
			o.Control = nil
		}
		o.Observe = whittle.On(func(d whittle.Decision) {
			steps[i] = append(steps[i], d.Pass+string(d.File))
			if i == 2 {
				c.SetJobs(len(steps[i])%5 - 1) // values below 1 mean 1
				c.Pause()
				go c.Resume()
			}
		})
		if result := reduced(t, o); !result.Complete {
			t.Error("it is not complete")
		}
	}
	if !slices.Equal(steps[0], steps[1]) || !slices.Equal(steps[0], steps[2]) {
		t.Errorf("there are %d, %d and %d steps", len(steps[0]), len(steps[1]), len(steps[2]))
	}
}

// The pass ends at once, even if a test hangs.
func TestControlSkip(t *testing.T) {
	o := steered(t)
	pass, skipped := "", false
	ask := o.Property
	o.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if pass == "perses" && !skipped {
			skipped = true
			o.Control.Skip()
			<-ctx.Done()
			return 0, ctx.Err()
		}
		return ask(ctx, candidate)
	}
	var ended []string
	o.Observe = func(e whittle.Event) error {
		switch e := e.(type) {
		case whittle.PassBegan:
			pass = e.Name
		case whittle.PassResult:
			if e.Skipped {
				ended = append(ended, e.Name)
			}
			pass = ""
		}
		return nil
	}
	o.Control.Skip() // before the first pass
	result := reduced(t, o)
	if !slices.Equal(ended, []string{"perses"}) || result.Complete {
		t.Errorf("%v were skipped; complete: %v", ended, result.Complete)
	}
	if all := reduced(t, steered(t)); result.Tokens != all.Tokens { // the next round runs the pass again
		t.Errorf("it comes to %d tokens, without a skip to %d", result.Tokens, all.Tokens)
	}
}

func TestTimeOver(t *testing.T) {
	o := steered(t)
	ctx, end := context.WithCancelCause(t.Context())
	o.Observe = whittle.On(func(d whittle.Decision) {
		if d.Accepted {
			end(context.DeadlineExceeded)
		}
	})
	again := 0
	ask := o.Property
	o.Confirm = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		again++
		return ask(ctx, candidate)
	}
	result, err := whittle.Reduce(ctx, o)
	if err != nil || result.Accepted != 1 || result.Complete || again != 1 || result.Unconfirmed ||
		len(result.File) >= len(o.Input) {
		t.Errorf("%v, %d accepted, complete: %v, tested again %d times", err, result.Accepted, result.Complete, again)
	}
	o.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) { return 0, ctx.Err() }
	if _, err := whittle.Reduce(ctx, o); !errors.Is(err, whittle.ErrNoTime) {
		t.Errorf("before the input is tested: %v", err)
	}
}

// A computation that ignores its context is left behind, without later effects. So is a test of the result.
func TestLate(t *testing.T) {
	for _, stuck := range []string{"parse", "confirm", "first test"} {
		synctest.Test(t, func(t *testing.T) {
			o := steered(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			late, end := context.WithCancel(context.Background())
			context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, end) })
			o.Late = late
			sleep := func(where string) {
				if where == stuck {
					time.Sleep(time.Hour)
				}
			}
			ask, language, asked := o.Property, o.Language, 0
			o.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
				sleep("first test")
				asked++
				return ask(ctx, candidate)
			}
			o.Confirm = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
				sleep("confirm")
				return ask(ctx, candidate)
			}
			o.Language = slowly{language, func() {
				if asked > 10 {
					sleep("parse")
				}
			}}
			returned := false
			o.Observe = whittle.On(func(whittle.Improved) {
				if returned {
					t.Error("called after the end")
				}
			})
			began := time.Now()
			result, err := whittle.Reduce(ctx, o)
			returned = true
			if took := time.Since(began); took != 61*time.Second {
				t.Errorf("%s: it took %v", stuck, took)
			}
			if stuck == "first test" {
				if err != whittle.ErrNoTime {
					t.Error(err)
				}
			} else if err != nil || result.Complete || !result.Unconfirmed || result.Tests < 10 || len(result.Passes) == 0 {
				t.Errorf("%s: %v, %+v", stuck, err, result)
			}
			time.Sleep(10 * time.Hour)
		})
	}
}

type slowly struct {
	parse.Language
	before func()
}

func (s slowly) Parse(source []byte) (*parse.Tree, error) {
	s.before()
	return s.Language.Parse(source)
}

func TestControlPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := steered(t)
		var asked atomic.Int64
		ask := o.Property
		o.Jobs = 4
		o.Property = oracle.Property(func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return ask(ctx, candidate)
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := whittle.Reduce(ctx, o)
			done <- err
		}()
		time.Sleep(10 * time.Second)
		o.Control.Pause()
		time.Sleep(10 * time.Second)
		before := asked.Load()
		time.Sleep(time.Hour)
		if now := asked.Load(); now != before {
			t.Errorf("%d tests during the pause", now-before)
		}
		o.Control.Resume()
		time.Sleep(10 * time.Second)
		if now := asked.Load(); now < before+10 {
			t.Errorf("%d tests in ten seconds after it", now-before)
		}
		o.Control.Pause()
		time.Sleep(10 * time.Second)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestControlJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := steered(t)
		var running, most atomic.Int64
		ask := o.Property
		o.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			time.Sleep(time.Second)
			return ask(ctx, candidate)
		}
		decided := 0
		o.Observe = whittle.On(func(whittle.Decision) {
			switch decided++; decided {
			case 10:
				if most.Load() != 1 {
					t.Errorf("%d at once", most.Load())
				}
				o.Control.SetJobs(3)
			case 60:
				if most.Load() != 3 {
					t.Errorf("%d at once, of 3", most.Load())
				}
				o.Control.SetJobs(1)
			case 70:
				most.Store(0)
			}
		})
		reduced(t, o)
		if most.Load() != 1 {
			t.Errorf("%d at once in the end", most.Load())
		}
	})
}
