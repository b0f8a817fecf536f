package batch

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// A searching is a search with shared workers and tests of about a second.
type searching struct {
	steps   *algo.Step[string]
	control steering
	asked   []string
	pace    int // factor of speed; 0 means 1
	mu      sync.Mutex
	running int
	most    int
}

// steering controls a Runner as whittle.Control does.
type steering struct {
	mu   sync.Mutex
	jobs int
	wake chan struct{}
}

func (s *steering) set(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = n
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *steering) get(context.Context) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jobs
}

// run runs the search with a share; nil means its own worker.
func (s *searching) run(ctx context.Context, w *Workers) error {
	s.control.wake = make(chan struct{}, 1)
	turn := func(ctx context.Context, test func(context.Context) error) error { return test(ctx) }
	r := &search.Runner{Jobs: 1}
	if w != nil {
		share := w.Join(s.control.set)
		defer share.Leave()
		turn = share.Turn
		r.Steer, r.Wake = s.control.get, s.control.wake
	}
	r.Property = func(ctx context.Context, candidate []byte) (outcome algo.Outcome, err error) {
		err = turn(ctx, func(ctx context.Context) error {
			s.begins(1)
			defer s.begins(-1)
			select {
			case <-time.After(duration(candidate) / time.Duration(max(1, s.pace))):
				outcome = coin(candidate)
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		return outcome, err
	}
	_, err := search.Run(ctx, r, s.steps, func(c string) []byte { return []byte(c) },
		func(step *algo.Step[string], a oracle.Answer) bool {
			s.asked = append(s.asked, fmt.Sprint(step.Candidate, a.Outcome))
			return true
		})
	return err
}

func (s *searching) begins(n int) (running int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running += n
	s.most = max(s.most, s.running)
	return s.running
}

// duration returns 0.5 to 1.5 seconds.
func duration(candidate []byte) time.Duration {
	h := fnv.New32a()
	h.Write(candidate)
	return 500*time.Millisecond + time.Duration(h.Sum32()%1000)*time.Millisecond
}

// coin returns a pseudo-random outcome, interesting in one of eight cases.
func coin(candidate []byte) algo.Outcome {
	h := fnv.New32()
	h.Write(candidate)
	if h.Sum32()%8 == 0 {
		return algo.Interesting
	}
	return algo.Uninteresting
}

// serial is a search whose questions depend on earlier answers.
func serial(path string, left int) *algo.Step[string] {
	if left == 0 {
		return nil
	}
	return &algo.Step[string]{Candidate: path, Next: func(o algo.Outcome) *algo.Step[string] {
		return serial(path+fmt.Sprint(int(o)), left-1)
	}}
}

// wide is a search of n independent chains.
func wide(name string, parts, left int) *algo.Step[string] {
	s := &algo.Step[string]{Join: func([]any) *algo.Step[string] { return nil }}
	for i := range parts {
		s.Fork = append(s.Fork, func() *algo.Step[string] { return serial(fmt.Sprint(name, i, " "), left) })
	}
	return s
}

// The limit holds, nearly all workers are busy while there are questions, and each search asks
// the same as alone.
func TestShare(t *testing.T) {
	searches := func() []*searching {
		return []*searching{
			{steps: wide("a", 30, 6)}, {steps: serial("b", 40)}, {steps: serial("c", 60)}, {steps: wide("d", 3, 20)},
		}
	}
	var alone []*searching
	synctest.Test(t, func(t *testing.T) {
		alone = searches()
		for _, s := range alone {
			if err := s.run(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, jobs := range []int{1, 2, 3, 8, 40} {
		synctest.Test(t, func(t *testing.T) {
			w := NewWorkers(jobs)
			all := searches()
			var group sync.WaitGroup
			left := len(all)
			var mu sync.Mutex
			var use Use // when one search is left
			for _, s := range all {
				group.Go(func() {
					if err := s.run(t.Context(), w); err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					if left--; left == 1 {
						use, _ = w.Use()
					}
				})
			}
			for !done(&mu, &left) {
				if _, running := w.Use(); running > jobs {
					t.Errorf("%d tests run with %d jobs", running, jobs)
				}
				time.Sleep(100 * time.Millisecond)
			}
			group.Wait()
			for i, s := range all {
				if !slices.Equal(s.asked, alone[i].asked) {
					t.Errorf("%d jobs: search %d asks %d questions, alone %d, or others", jobs, i, len(s.asked), len(alone[i].asked))
				}
			}
			if share := use.Share(); share < 0.9 && jobs < 40 {
				t.Errorf("%d jobs: busy for %.0f%% of the time until one search was left", jobs, 100*share)
			}
		})
	}
}

func done(mu *sync.Mutex, left *int) bool {
	mu.Lock()
	defer mu.Unlock()
	return *left == 0
}

// A serial search has a worker while another has questions of probability 1.
func TestShareIsUrgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWorkers(8)
		many, few := &searching{steps: wide("a", 64, 2)}, &searching{steps: serial("b", 40)}
		var group sync.WaitGroup
		group.Go(func() { many.run(t.Context(), w) })
		group.Go(func() { few.run(t.Context(), w) })
		time.Sleep(2 * time.Second) // the other may come first
		taken := 0
		const looks = 40
		for range looks {
			taken += few.begins(0)
			time.Sleep(200 * time.Millisecond)
		}
		if taken > 2*looks {
			t.Errorf("a search of questions one after the other has %.1f workers", float64(taken)/looks)
		}
		few.mu.Lock()
		few.most = 0
		few.mu.Unlock()
		group.Wait()
		if few.most < 4 {
			t.Errorf("alone it has up to %d workers", few.most)
		}
	})
}

// A test that a case waits for takes the worker of an improbable test, not of a probable one. The
// loser runs again later.
func TestShareTakes(t *testing.T) {
	for _, likely := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := NewWorkers(1)
			s := w.Join(func(int) {})
			defer s.Leave()
			chance := 0.1
			if likely {
				chance = 0.9
			}
			begun := 0
			test := func(ctx context.Context) error {
				begun++
				select {
				case <-time.After(10 * time.Second):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			began := time.Now()
			var group sync.WaitGroup
			group.Go(func() {
				if err := s.Turn(search.WithChance(t.Context(), chance), test); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(5 * time.Second)
			group.Go(func() {
				if err := s.Turn(t.Context(), test); err != nil {
					t.Error(err)
				}
			})
			group.Wait()
			want, runs := 25*time.Second, 3
			if likely {
				want, runs = 20*time.Second, 2
			}
			use, _ := w.Use()
			if took := time.Since(began); took != want || begun != runs || use.Busy != want || use.Taken != runs-2 {
				t.Errorf("likely %v: it took %v with %d runs, want %v with %d; used %+v", likely, took, begun, want, runs, use)
			}
		})
	}
}

// Cancelled tests stop waiting, and a test inside of a turn needs no worker.
func TestShareEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWorkers(1)
		var told []int
		s := w.Join(func(n int) { told = append(told, n) })
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			err := s.Turn(t.Context(), func(ctx context.Context) error {
				return s.Turn(ctx, func(context.Context) error {
					time.Sleep(time.Second)
					return errors.ErrUnsupported
				})
			})
			if err != errors.ErrUnsupported {
				t.Errorf("the error of a test is %v", err)
			}
		})
		synctest.Wait()
		group.Go(func() {
			if err := s.Turn(ctx, func(context.Context) error { return nil }); err != context.Canceled {
				t.Errorf("it waits, and its error is %v", err)
			}
		})
		synctest.Wait()
		cancel()
		group.Wait()
		s.Leave()
		if use, running := w.Use(); running != 0 || use.Busy != time.Second || len(told) == 0 || slices.Max(told) != 1 {
			t.Errorf("%d run, used %+v, told %v", running, use, told)
		}
	})
}
