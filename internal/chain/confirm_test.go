package chain

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// script answers y or n by its letters, and repeats the last. It counts its tests.
type script struct {
	answers   string
	mu        sync.Mutex
	asked     int
	explained int
}

func (s *script) next() algo.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.answers[min(s.asked, len(s.answers)-1)]
	s.asked++
	if a == 'y' {
		return algo.Interesting
	}
	return algo.Uninteresting
}

func (s *script) Run(_ context.Context, spec oracle.Spec, _ []byte) (oracle.Run, error) {
	if spec.KeepOutput {
		s.explained++
	}
	return oracle.Run{Outcome: s.next()}, nil
}

type executor func() (oracle.Run, error)

func (f executor) Run(context.Context, oracle.Spec, []byte) (oracle.Run, error) { return f() }

func ask(c *confirmation) oracle.Property {
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		return oracle.Test{Executor: c.now()}.Ask(ctx, candidate)
	}
}

func TestConfirm(t *testing.T) {
	const yes, no, unknown = algo.Interesting, algo.Uninteresting, algo.Unresolved
	for _, c := range []struct {
		answers string
		repeat  int
		again   bool
		outcome algo.Outcome
		asked   int
		times   int
		flaky   bool
		recall  bool
		least   int
	}{
		{"y", 0, false, yes, 1, 1, false, false, 0},
		{"n", 1, false, no, 1, 1, false, false, 0},
		{"yn", 1, false, yes, 1, 1, false, false, 0},
		{"y", 3, false, yes, 3, 3, false, false, 0},
		{"n", 3, false, no, 1, 3, false, false, 0},
		{"yn", 3, false, unknown, 2, 3, true, true, 0},
		{"yyn", 3, false, unknown, 3, 3, true, true, 0},
		{"yn", 2, false, unknown, 2, 3, true, true, 0},
		{"yyyyn", 5, false, unknown, 5, 5, true, true, 0},
		{"y", 1, true, yes, 1, 1, false, false, 0},
		{"y", 3, true, yes, 3, 3, false, false, 0},
		{"ny", 1, true, yes, 6, 3, true, true, 0},
		{"nyynyy", 1, true, yes, 6, 3, true, true, 0},
		{"nnyyyy", 3, true, yes, 6, 3, true, true, 0},
		{"nynyny", 1, true, unknown, 5, 3, true, true, 0},
		{"nnny", 1, true, unknown, 4, 3, true, true, 0},
		{"n", 1, true, unknown, 6, 3, true, false, 0},
		{"yn", 3, true, unknown, 4, 6, true, true, 0},
		{"ynyyyy", 3, true, yes, 7, 3, true, true, 0},
		{"yn", 20, true, unknown, 4, 24, true, true, 0},
		{"y", 1, true, yes, 3, 1, false, false, 3},
		{"y", 5, true, yes, 5, 5, false, false, 3},
		{"y", 1000, true, yes, 24, 1000, false, false, 3},
		{"yyn", 1, true, unknown, 5, 3, true, true, 3},
	} {
		s := &script{answers: c.answers}
		confirmer := &confirmation{executor: s, repeat: c.repeat}
		var told []Contradiction
		confirmer.flaky = func(x Contradiction) { told = append(told, x) }
		ask := ask(confirmer)
		if c.again {
			ask = again(confirmer, c.least)
		}
		outcome, err := ask(t.Context(), []byte("bytes"))
		if outcome != c.outcome || err != nil || s.asked != c.asked || confirmer.times() != c.times ||
			len(told) > 0 != c.flaky {
			t.Errorf("%q %d times, again %v: %v, %v after %d tests, then %d must agree, told %v; want %v after %d, %d, %v",
				c.answers, c.repeat, c.again, outcome, err, s.asked, confirmer.times(), told, c.outcome, c.asked, c.times, c.flaky)
		}
		for _, x := range told {
			if x.Recalled != c.recall || string(x.Candidate) != "bytes" || x.Other.Outcome == yes ||
				(x.Interesting.Outcome == yes) != c.recall {
				t.Errorf("%q: told %+v", c.answers, x)
			}
		}
		if c.repeat <= 1 && !c.again && s.explained > 0 {
			t.Errorf("%q: one test is enough, and its output was kept", c.answers)
		}
	}
}

func again(c *confirmation, least int) oracle.Property {
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		return c.Again(ctx, oracle.Spec{}, candidate, least)
	}
}

func TestConfirmTellsOnce(t *testing.T) {
	var n, told atomic.Int32
	c := &confirmation{
		executor: executor(func() (oracle.Run, error) {
			return oracle.Run{Outcome: algo.Outcome(n.Add(1) % 2)}, nil
		}),
		repeat: 2,
		flaky:  func(Contradiction) { told.Add(1) },
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				ask(c)(t.Context(), nil)
			}
		})
	}
	group.Wait()
	if told.Load() != 1 {
		t.Errorf("told %d times", told.Load())
	}
	if c.times() != 3 {
		t.Errorf("%d must agree, want 3", c.times())
	}
}

func TestConfirmError(t *testing.T) {
	broken := errors.New("disk full")
	for after := range 3 {
		asked := 0
		c := &confirmation{
			executor: executor(func() (oracle.Run, error) {
				if asked++; asked > after {
					return oracle.Run{}, broken
				}
				return oracle.Run{Outcome: algo.Interesting}, nil
			}),
			repeat: 3,
			flaky:  func(x Contradiction) { t.Errorf("told %+v", x) },
		}
		for _, ask := range []oracle.Property{ask(c), again(c, 2)} {
			asked = 0
			if _, err := ask(t.Context(), nil); err != broken {
				t.Errorf("after %d: %v", after, err)
			}
		}
	}
}

func TestConfirmAtOnce(t *testing.T) {
	for _, jobs := range []int{1, 2, 3, 8} {
		synctest.Test(t, func(t *testing.T) {
			confirmer := &confirmation{jobs: jobs, executor: executor(func() (oracle.Run, error) {
				time.Sleep(time.Second)
				return oracle.Run{Outcome: algo.Interesting}, nil
			})}
			began := time.Now()
			outcome, err := again(confirmer, 3)(t.Context(), nil)
			want := time.Duration((3+jobs-1)/jobs) * time.Second
			if took := time.Since(began); outcome != algo.Interesting || err != nil || took != want {
				t.Errorf("%d jobs: %v, %v in %v; want %v", jobs, outcome, err, took, want)
			}
		})
	}
	lost := errors.New("lost")
	for _, jobs := range []int{1, 3} {
		var asked atomic.Int32
		confirmer := &confirmation{jobs: jobs, executor: executor(func() (oracle.Run, error) {
			if asked.Add(1) == 2 {
				return oracle.Run{}, lost
			}
			return oracle.Run{Outcome: algo.Interesting}, nil
		})}
		if _, err := again(confirmer, 3)(t.Context(), nil); err != lost {
			t.Errorf("%d jobs: error %v", jobs, err)
		}
	}
}

// If a test misses one failure in eight, nearly all results hold, and few tests must agree. If it
// fails at random one time in five, hardly any result holds.
func TestConfirmFlaky(t *testing.T) {
	const results = 1000
	for _, c := range []struct {
		name        string
		yes         float64 // probability of yes
		least, most int     // results that hold
	}{
		{"it misses", 7. / 8, 930, results},
		{"it finds", 1. / 5, 0, 20},
	} {
		r := rand.New(rand.NewPCG(1, 1))
		held, raised := 0, 0
		for range results {
			confirmer := &confirmation{repeat: 3, executor: executor(func() (oracle.Run, error) {
				if r.Float64() < c.yes {
					return oracle.Run{Outcome: algo.Interesting}, nil
				}
				return oracle.Run{Outcome: algo.Uninteresting}, nil
			})}
			if outcome, _ := again(confirmer, 3)(t.Context(), nil); outcome == algo.Interesting {
				held++
			}
			if confirmer.times() > 3 {
				raised++
			}
		}
		if held < c.least || held > c.most || raised != results-held {
			t.Errorf("%s: %d of %d results hold, %d made it ask more often", c.name, held, results, raised)
		}
	}
}
