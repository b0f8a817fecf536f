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

// Step is the duration of tests, the mean if it varies.
const Step = time.Second

// An Oracle returns the outcome of a test and its real duration; see [Clock.Ask].
type Oracle func(context.Context, []byte) (algo.Outcome, time.Duration, error)

// A Setting configures a simulation.
type Setting struct {
	Workers int
	Lasts   string // a name of [Lasting]
	Seed    uint64 // for random durations
	Asks    int    // maximum number of concurrent real tests
	Keep    bool   // keep all accepted files
}

// Lasting lists the models of test durations.
var Lasting = []string{"step", "random", "recorded"}

// lasts returns [Clock.Lasts] for a model: constant; random with an exponential distribution, a
// function of the candidate; or nil for the recorded time.
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

// A Run is the result of a simulated reduction.
type Run struct {
	Setting
	Time   time.Duration // simulated, without the tests of the input and the result
	Busy   float64       // mean number of busy workers
	Own    time.Duration // real time of the simulation
	Passes []Pass
	Bits   Bits
	Files  [][]byte // the input and all accepted files, if Setting.Keep
	whittle.Result
}

// A Pass is the result of one run of a pass.
type Pass struct {
	Name                     string
	Tests, Accepted, Removed int // tests used, interesting candidates, tokens
	Time                     time.Duration
}

// Simulate runs the reduction of o with simulated workers and the given tests.
func Simulate(ctx context.Context, o whittle.Options, tests Oracle, s Setting) (Run, error) {
	run := Run{Setting: s}
	clock := NewClock(tests, s.Asks)
	clock.Lasts = s.lasts()
	started := false
	// The input and the result are tested outside the search, in real time.
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
		return run, fmt.Errorf("%d results failed their confirmation", result.Refuted)
	}
	return run, nil
}

// Steps returns the time in steps.
func (r Run) Steps() float64 { return r.Time.Seconds() / Step.Seconds() }
