package project

import (
	"context"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/journal"
	"whittle/internal/local"
	"whittle/oracle"
)

// Builds decides whether builds are kept, and gives them up when they are wrong. A nil Builds never keeps builds.
type Builds struct {
	Trust
	Keeper  *local.Keeper
	Test    oracle.Test // for the input
	Journal *journal.Journal
	Warn    func(text string)
	Always  bool // also if it is not faster
	Never   bool
	Cold    time.Duration // processor time of a clean test of the input; 0 means unknown

	keeps bool
}

const keptBuilds = "kept builds"

// Begin keeps builds if a second test of the input, in the directory of the first, takes much less time.
func (b *Builds) Begin(ctx context.Context, input []byte) {
	if b == nil || b.Never {
		return
	}
	b.Context, b.Again, b.good = ctx, b.Test.Ask, input
	b.keeps = b.Journal.Decide(keptBuilds, func() bool {
		b.Keeper.KeepBuilds(true)
		cold, coldly := b.Cold, b.Keeper.Built()
		if !coldly {
			cold, coldly = b.measure(ctx, input)
		}
		warm, warmly := b.measure(ctx, input)
		return coldly && warmly && (b.Always || cold > worthwhile && 3*warm < 2*cold)
	})
	b.Keeper.KeepBuilds(b.keeps)
	switch {
	case b.keeps:
		b.Warn("tests build on what earlier tests left; --clean-build switches that off")
	case b.Always:
		b.Warn("--keep-build: a test after another one comes out differently, so each test gets a clean directory")
	}
}

// worthwhile is the least time of a test whose build is kept.
const worthwhile = 200 * time.Millisecond

// measure returns the processor time of a test.
func (b *Builds) measure(ctx context.Context, input []byte) (time.Duration, bool) {
	run, err := b.Test.Executor.Run(ctx, b.Test.Spec, input)
	if run.Processor == 0 {
		run.Processor = run.Elapsed
	}
	return run.Processor, err == nil && run.Outcome == algo.Interesting
}

// Property returns a property by tests that may keep builds.
func (b *Builds) Property(by oracle.Property) oracle.Property {
	if b == nil {
		return by
	}
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		switch {
		case b.Again == nil && b.Cold > 0 && !b.Never: // the test of the input, for Begin
			b.Keeper.KeepBuilds(true)
			defer b.Keeper.KeepBuilds(false)
			return by(ctx, candidate)
		case !b.keeps:
			return by(ctx, candidate)
		case b.Doubted():
			return algo.Unresolved, whittle.ErrDoubted
		}
		return b.Ask(candidate, func() (algo.Outcome, error) { return by(ctx, candidate) })
	}
}

// Confirm returns a property by clean tests for a result. Builds in doubt are given up first.
func (b *Builds) Confirm(by oracle.Property) oracle.Property {
	if b == nil {
		return by
	}
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if b.End(); !b.Doubted() {
			outcome, err := by(ctx, candidate)
			if !b.keeps || outcome == algo.Interesting || err != nil {
				return outcome, err
			}
			b.doubted.Store(true)
		}
		if b.keeps {
			b.keeps = false
			b.Keeper.KeepBuilds(false)
			b.Journal.Distrust(keptBuilds, false)
			b.Warn("a test came out differently in a clean directory; going back, and on with clean builds")
			return algo.Unresolved, nil // then the search forgets all outcomes
		}
		outcome, err := b.Clean(ctx, candidate) // an accepted candidate, not a result
		if outcome == algo.Interesting && err == nil {
			b.doubted.Store(false)
		}
		return outcome, err
	}
}
