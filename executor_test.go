package whittle_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/local"
	"whittle/internal/testkit/cases"
	"whittle/oracle"
)

// distant simulates slow and unreliable machines. Some tests are lost before or after they ran.
type distant struct {
	look oracle.Property

	mu   sync.Mutex
	dice *rand.Rand
	lost int
}

func (d *distant) Run(ctx context.Context, _ oracle.Spec, candidate []byte) (oracle.Run, error) {
	d.mu.Lock()
	away, loses, runs := time.Duration(d.dice.IntN(1000))*time.Millisecond, d.dice.IntN(5) == 0, d.dice.IntN(2) == 0
	if loses {
		d.lost++
	}
	d.mu.Unlock()
	select {
	case <-time.After(away):
	case <-ctx.Done():
		return oracle.Run{}, ctx.Err()
	}
	var outcome algo.Outcome
	if !loses || runs {
		outcome, _ = d.look(ctx, candidate)
	}
	if loses {
		return oracle.Run{}, fmt.Errorf("machine 7 does not answer: %w", oracle.ErrLost)
	}
	return oracle.Run{Outcome: outcome, Elapsed: away}, nil
}

func steps(t *testing.T, in int, o whittle.Options) []string {
	t.Helper()
	o.Input, o.Language = readInput(t, inputs[in].file), language(t, inputs[in].language)
	var all []string
	o.Observe = whittle.On(func(e whittle.Improved) { all = append(all, string(e.File)) })
	r, err := whittle.Reduce(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, string(r.File), fmt.Sprint(r.Tests, " tests"))
}

func TestDistantExecutor(t *testing.T) {
	for in := range cases.Of(t, len(inputs), 4) {
		look := containing(inputs[in].pattern)
		want := steps(t, in, whittle.Options{Property: look})
		for _, jobs := range some(3, 64, 1, 16) {
			synctest.Test(t, func(t *testing.T) {
				far := &distant{look: look, dice: rand.New(rand.NewPCG(uint64(in), uint64(jobs)))}
				test := chain.Build(chain.Config{
					Executor: far, Slack: 10, Retry: chain.Retry{Exits: []int{75}}, Repeat: 1 + in%2,
				})
				ask := func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
					return test.Ask(ctx, oracle.Spec{}, candidate)
				}
				if got := steps(t, in, whittle.Options{Property: ask, Jobs: jobs}); !slices.Equal(got, want) {
					t.Errorf("%s with %d jobs: %d steps, %s; want %d, %s", inputs[in].file, jobs,
						len(got), got[len(got)-1], len(want), want[len(want)-1])
				}
				if far.lost == 0 {
					t.Error("no test was lost")
				}
			})
		}
	}
}

func TestLostTests(t *testing.T) {
	far := &distant{dice: rand.New(rand.NewPCG(1, 2)), look: containing(inputs[0].pattern)}
	retry := chain.Retry{Exits: []int{75}, Patience: time.Nanosecond}
	test := oracle.Test{Executor: chain.Build(chain.Config{Executor: far, Retry: retry}).Once}
	synctest.Test(t, func(t *testing.T) {
		input := readInput(t, inputs[0].file)
		r, err := whittle.Reduce(t.Context(), whittle.Options{Input: input, Language: language(t, "c"), Property: test.Ask,
			Jobs: 4})
		var environment *oracle.EnvironmentError
		if !errors.As(err, &environment) || !errors.Is(err, oracle.ErrLost) || len(r.File) == 0 {
			t.Errorf("error %v, %d bytes", err, len(r.File))
		}
	})
}

// Few functions are between the search and the process of a test; see docs/architecture.md. The
// frames to the wait for the process are as many as to its start.
func TestFrames(t *testing.T) {
	const most = 11
	test := chain.Build(chain.Config{Executor: &local.Executor{Work: t.TempDir()}, Slack: 10})
	spec := oracle.Spec{
		Argv: []string{"/bin/sh", "-c", "grep -q whole a.c || sleep 60"}, Layout: oracle.Layout{Name: "a.c"},
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	found := make(chan []string, 1)
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if frames := waiting(); frames != nil {
				found <- frames
				return
			}
			time.Sleep(time.Millisecond)
		}
		found <- nil
	}()
	whittle.Reduce(ctx, whittle.Options{
		Input: []byte("int whole;"), Language: language(t, "c"),
		Property: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
			return test.Ask(ctx, spec, candidate)
		},
	})
	if frames := <-found; len(frames) == 0 || len(frames) > most {
		t.Errorf("%d frames, want at most %d:\n%s", len(frames), most, strings.Join(frames, ""))
	}
}

func waiting() (frames []string) {
	all := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
		if strings.Contains(stack, "]).start.func") && strings.Contains(stack, "process.(*Group).Wait") {
			for line := range strings.Lines(stack) {
				if strings.HasPrefix(line, "whittle") {
					frames = append(frames, line)
				}
			}
			return frames
		}
	}
	return nil
}
