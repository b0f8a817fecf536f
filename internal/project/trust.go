package project

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A Trust repeats tests of kept builds in clean directories: for the newest interesting candidate, or without one for
// the newest uninteresting candidate. A build that only fails is asked again for the newest interesting candidate. It
// is safe for concurrent use.
type Trust struct {
	// Clean tests a candidate in a clean directory, and Again in a kept build.
	Clean, Again func(ctx context.Context, candidate []byte) (algo.Outcome, error)
	// Context ends clean tests.
	Context context.Context
	// Alone: two tests must not run at the same time.
	Alone bool

	alone   sync.RWMutex // held while a clean test runs alone
	running sync.WaitGroup

	mu      sync.Mutex
	waiting *claim
	last    []claim // uninteresting
	good    []byte  // the newest interesting candidate, or nil
	row     int     // of uninteresting outcomes
	busy    bool
	kept    time.Duration // of tests in kept builds
	clean   time.Duration // of clean tests
	again   time.Duration // of tests of the newest interesting candidate

	doubted atomic.Bool
}

type claim struct {
	candidate []byte
	outcome   algo.Outcome
}

const (
	// Clean tests take at most 1/cleanShare of the time of the others.
	cleanShare = 5
	// So many uninteresting outcomes are asked again at the end.
	atTheEnd = 5
	// After so many uninteresting outcomes in a row a kept build may be broken. Asking takes at most 1/againShare.
	suspicious, againShare = 20, 10
)

// Ask asks a question by test, in a kept build, and starts a clean test of an earlier answer when it is due.
func (t *Trust) Ask(candidate []byte, test func() (algo.Outcome, error)) (algo.Outcome, error) {
	if t.Alone {
		t.alone.RLock()
	}
	began := time.Now()
	outcome, err := test()
	took := time.Since(began)
	if good := t.suspect(outcome); good != nil && err == nil {
		t.askAgain(good)
	}
	if t.Alone {
		t.alone.RUnlock()
	}
	if err == nil {
		t.said(claim{candidate, outcome}, took)
	}
	return outcome, err
}

// suspect returns the candidate to ask again, or nil.
func (t *Trust) suspect(outcome algo.Outcome) (good []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.row++; outcome != algo.Uninteresting {
		t.row = 0
	}
	if t.row < suspicious || t.again*againShare > t.kept || t.doubted.Load() {
		return nil
	}
	t.row = 0
	return t.good
}

// askAgain doubts the builds if two tests in a kept build refuse an interesting candidate.
func (t *Trust) askAgain(good []byte) {
	began := time.Now()
	if t.twice(t.Again, good, func(o algo.Outcome) bool { return o == algo.Uninteresting }) {
		t.doubted.Store(true)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.again += time.Since(began)
}

// twice reports whether two tests are wrong.
func (t *Trust) twice(test oracle.Property, candidate []byte, isWrong func(algo.Outcome) bool) bool {
	for range 2 {
		if outcome, err := test(t.Context, candidate); err != nil || !isWrong(outcome) {
			return false
		}
	}
	return true
}

func (t *Trust) said(c claim, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept += took
	if c.outcome == algo.Unresolved {
		return
	}
	if c.outcome == algo.Uninteresting {
		t.last = append(t.last[max(0, len(t.last)+1-atTheEnd):], c)
	}
	if c.outcome == algo.Interesting {
		t.good = c.candidate
	}
	if c.outcome == algo.Interesting || t.waiting == nil || t.waiting.outcome != algo.Interesting {
		t.waiting = &c
	}
	if t.waiting == nil || t.busy || t.doubted.Load() || t.clean*cleanShare > t.kept {
		return
	}
	due := *t.waiting
	t.waiting, t.busy = nil, true
	t.running.Go(func() { t.check(due) })
}

// check doubts the builds if two clean tests contradict a claim, unless two in a kept build do, too: then it was chance
// (races).
func (t *Trust) check(c claim) {
	if t.Alone {
		t.alone.Lock()
		defer t.alone.Unlock()
	}
	began := time.Now()
	contradicts := func(o algo.Outcome) bool { return o != c.outcome && o != algo.Unresolved }
	if t.twice(t.Clean, c.candidate, contradicts) && !t.twice(t.Again, c.candidate, contradicts) {
		t.doubted.Store(true)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = false
	t.clean += time.Since(began)
}

// Doubted reports whether a clean test contradicted a kept build.
func (t *Trust) Doubted() bool { return t.doubted.Load() }

// End waits for clean tests, and tests the last claims.
func (t *Trust) End() {
	t.running.Wait()
	t.mu.Lock()
	last := t.last
	t.waiting, t.last = nil, nil
	t.mu.Unlock()
	for _, c := range last {
		if !t.Doubted() {
			t.check(c)
		}
	}
}
