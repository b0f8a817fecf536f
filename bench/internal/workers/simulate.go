package workers

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// Step is what a test lasts where all last the same, and the mean where they do not.
const Step = time.Second

// An Oracle knows what comes of tests, and how long they last in reality; see
// [Clock.Ask].
type Oracle func(context.Context, []byte) (algo.Outcome, time.Duration, error)

// A Setting is how a reduction is simulated.
type Setting struct {
	Workers int
	Lasts   string // a name of [Lasting]
	Seed    uint64 // of random times
	Asks    int    // tests at once whose outcome is not known yet
	Keep    bool   // the files that the reduction came to
}

// Lasting has the names of how long tests last.
var Lasting = []string{"step", "random", "recorded"}

// lasts returns what [Clock.Lasts] is to be: a step for all; at random, with a step as the
// mean, by the exponential distribution, the same for each candidate however many workers
// there are; or as long as the test took when it was run.
func (s Setting) lasts() func([]byte) time.Duration {
	switch s.Lasts {
	case "random":
		return func(candidate []byte) time.Duration {
			key := oracle.KeyOf(append(binary.LittleEndian.AppendUint64(nil, s.Seed), candidate...))
			uniform := (float64(binary.LittleEndian.Uint64(key[:])>>11) + 0.5) / (1 << 53)
			return time.Duration(-math.Log(uniform) * float64(Step)).Round(time.Millisecond)
		}
	case "recorded":
		return nil
	}
	return func([]byte) time.Duration { return Step }
}

// A Run is what a simulated reduction came to.
type Run struct {
	Setting
	Time   time.Duration // by the clock, without the test of the input and those that confirm the result
	Busy   float64       // workers in the mean
	Own    time.Duration // that the simulation took in reality
	Passes []Pass
	Bits   Bits
	Files  [][]byte // the input, and each file that was accepted; see Setting.Keep
	whittle.Result
}

// A Pass is what one run of a pass came to.
type Pass struct {
	Name                     string
	Tests, Accepted, Removed int // tests that were used, candidates that were interesting, tokens
	Time                     time.Duration
}

// Simulate reduces with so many workers. Options have what is reduced, and how; the tests
// are those of the oracle.
func Simulate(ctx context.Context, o whittle.Options, tests Oracle, s Setting) (Run, error) {
	run := Run{Setting: s}
	clock := NewClock(tests, s.Asks)
	clock.Lasts = s.lasts()
	started := false
	// The input and the result are tested while nothing waits for tests.
	now := func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		outcome, _, err := tests(ctx, candidate)
		return outcome, err
	}
	o.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if started {
			return clock.Property(ctx, candidate)
		}
		return now(ctx, candidate)
	}
	o.Confirm, o.Jobs = now, s.Workers
	if s.Keep {
		run.Files = [][]byte{o.Input}
	}
	var pass Pass
	o.Observe = func(e whittle.Event) error {
		switch e := e.(type) {
		case whittle.Started:
			started = true
		case whittle.PassBegan:
			pass = Pass{Name: e.Name, Time: clock.Now()}
		case whittle.Decision:
			run.Bits.add(e)
			if e.Accepted {
				pass.Accepted++
				if s.Keep {
					run.Files = append(run.Files, e.File)
				}
			}
		case whittle.PassResult:
			pass.Tests, pass.Removed, pass.Time = e.Tests, e.TokensRemoved, clock.Now()-pass.Time
			run.Passes = append(run.Passes, pass)
		}
		return nil
	}
	began := time.Now()
	result, err := whittle.Reduce(search.WithClock(ctx, clock.Waiting), o)
	if err != nil {
		return run, err
	}
	run.Result, run.Time, run.Own = result, clock.Now(), time.Since(began)
	run.Busy = float64(clock.Busy()) / float64(max(run.Time, 1))
	if result.Refuted > 0 {
		return run, fmt.Errorf("a result did not hold when it was tested again: %d times", result.Refuted)
	}
	return run, nil
}

// Steps is the time in steps.
func (r Run) Steps() float64 { return r.Time.Seconds() / Step.Seconds() }
